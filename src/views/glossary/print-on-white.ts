/** Prints the page in its light colours: paper is white, whatever the screen is. Gives the theme back after. */
export function printOnWhite(): void {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = 'light';
  window.print();
  if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
}
