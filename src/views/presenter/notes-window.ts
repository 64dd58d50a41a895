/** The window with the notes: an empty page of our own origin that the main page draws into. */

const FEATURES = 'popup,width=720,height=820';

/** Opens it, with the looks of the page; null where the browser blocks windows. Call it when a person asks for it. */
export function openNotes(): Window | null {
  const opened = window.open('', 'btfscope-notes', FEATURES);
  if (opened === null) return null;
  opened.document.title = 'Notes · btfscope';
  opened.document.documentElement.lang = 'en';
  opened.document.body.replaceChildren();
  dress(opened.document);
  return opened;
}

/**
 * The rules of the page as sheets that are made there: they need no request and no
 * element of style, so that the policy of the page and a page from disk both allow it.
 */
function dress(target: Document): void {
  const Sheet = target.defaultView?.CSSStyleSheet;
  if (Sheet === undefined) return;
  const sheets: CSSStyleSheet[] = [];
  for (const sheet of document.styleSheets) {
    const copy = new Sheet({ media: sheet.media.mediaText });
    copy.replaceSync([...sheet.cssRules].map((rule) => rule.cssText).join('\n'));
    sheets.push(copy);
  }
  target.adoptedStyleSheets = sheets;
  const { theme } = document.documentElement.dataset;
  if (theme !== undefined) target.documentElement.dataset.theme = theme;
}
