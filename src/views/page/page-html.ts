/** The page's frame: a strict content security policy, one script, one stylesheet, no text of a model. */
import { t } from '../words.ts';

export interface PageFiles {
  script: string;
  style: string;
  /** The webview's own source, for styles in the policy. */
  cspSource: string;
  nonce: string;
  /** Of the editor, such as `de`. */
  language: string;
  words: Readonly<Record<string, string>>;
}

export function pageHtml({ script, style, cspSource, nonce, language, words }: PageFiles): string {
  // Data, which no browser runs; `<` would end it.
  const data = JSON.stringify(words).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="${language}"><head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}';">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}"><title>${t('Failure history')}</title>
</head><body><main id="history" aria-busy="true"></main><div id="live" role="status" aria-live="polite"></div>
<script id="words" type="application/json">${data}</script>
<script nonce="${nonce}" src="${script}"></script></body></html>`;
}
