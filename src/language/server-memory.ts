/**
 * Node's flags for the server's process. What reading a document needs for a moment is collected soon: with V8's own sizes the
 * server grows to twice as much.
 */
export const memoryFlags = ['--max-semi-space-size=2', '--max-old-space-size=512'];
