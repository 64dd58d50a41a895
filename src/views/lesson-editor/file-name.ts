/** What a lesson is called as a file: its title in letters and digits that every system takes. */
export function fileNameOf(title: string): string {
  const words = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60);
  return `${words === '' ? 'lesson' : words}.md`;
}
