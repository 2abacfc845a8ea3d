/**
 * Text of models, tools and repositories without what a terminal would act on: escape sequences that move the cursor,
 * retitle the window or write to the clipboard (I13).
 */

/** Control characters other than a new line and a tab. */
const control = /[^\P{Cc}\n\t]/gu;

export function plain(text: string): string {
  return text.replaceAll(control, '');
}
