/** The page's frame: a strict content security policy, one script, one stylesheet, no text of a model. */

export interface PageFiles {
  script: string;
  style: string;
  /** The webview's own source, for styles in the policy. */
  cspSource: string;
  nonce: string;
}

export function pageHtml({ script, style, cspSource, nonce }: PageFiles): string {
  return `<!DOCTYPE html>
<html lang="en"><head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}';">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}"><title>Failure history</title>
</head><body><main id="history" aria-busy="true"></main><div id="live" role="status" aria-live="polite"></div>
<script nonce="${nonce}" src="${script}"></script></body></html>`;
}
