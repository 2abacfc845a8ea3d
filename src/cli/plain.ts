/**
 * Removes control characters from texts of models, tools and repositories (I13). A terminal would obey them: they can move the
 * cursor, retitle the window or write to the clipboard.
 */

/** Control characters except new line and tab. */
const control = /[^\P{Cc}\n\t]/gu;

export function plain(text: string): string {
  return text.replaceAll(control, '');
}
