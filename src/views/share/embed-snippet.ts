/** The HTML that shows a link inside another page. Out: one element, its attributes escaped. */
export function embedSnippet(address: string, title: string): string {
  return [
    '<iframe',
    `src="${escaped(address)}"`,
    `title="${escaped(title)}"`,
    'width="100%" height="480" loading="lazy"',
    // Its own worker and storage need its own origin; nothing else is allowed to it.
    'sandbox="allow-scripts allow-same-origin allow-popups"',
    'style="border: 1px solid #8884; border-radius: 8px"></iframe>',
  ].join(' ');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
