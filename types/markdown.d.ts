/** Prompts are bundled as text, so that a shipped build cannot run with other words than those reviewed. */
declare module '*.md' {
  const text: string;
  export default text;
}
