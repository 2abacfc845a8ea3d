/** Whether a file of the work is compiled before it runs, by its name: what runs then does not tell which of its lines it reaches. */
export function isCompiled(path: string): boolean {
  return /\.(?:go|rs|java|kts?|cs|c|h|cc|cpp|cxx|hh|hpp|hxx)$/i.test(path);
}
