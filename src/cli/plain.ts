/**
 * Removes control characters from texts of models, tools and repositories (I13). A terminal would obey them: they can move the
 * cursor, retitle the window, write to the clipboard, or show a line in another order than it has.
 */
export { withoutControls as plain } from '../engine/ground/text.ts';
