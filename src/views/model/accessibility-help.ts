/** How to work with Loop by keyboard and screen reader, in the order in which a person needs it. */
import { t } from '../words.ts';

export function accessibilityHelp(): string {
  return `${[
    t('# Loop by keyboard and screen reader'),
    t('Every command of Loop is in the palette (F1), and begins with "Loop:". Nothing needs a mouse.'),
    t('## From the start to Finish'),
    [
      t('- "Loop: Start Sprint" asks one question after the other. Enter takes an answer, Escape leaves and starts nothing.'),
      t('- A question of the sprint comes as a notification. "Notifications: Focus Notification Toast" leads to it, Tab to its buttons.'),
      t('- "Loop: Answer Human Action" asks the same again, at any time.'),
      t('- The item of Loop in the status bar says what is done now, and whether you are needed.'),
      t('- "Loop: Open Report" tells what was delivered, "Loop: Finish Sprint…" merges it.'),
    ].join('\n'),
    t('## The trees in the side bar'),
    [
      t('- "Loop: Focus on Sprint View" leads there; so do those of Tasks, Verifications and Pipelines.'),
      t('- The arrow keys go from row to row. Each row says its state, also where a narrow side bar cuts off its words.'),
      t('- Enter does what a click does: it answers a question, opens the history of a verification, or shows a change.'),
      t('- Shift+F10 opens the menu of a row. Control+K Control+I (Command on a Mac) shows its details.'),
      t('- Alt+F2 opens all rows as one text.'),
    ].join('\n'),
    t('## The failure history of a verification'),
    [
      t('- / or Control+F searches it. Enter goes to the next match, Shift+Enter to the one before, Escape ends the search.'),
      t('- Its headings are in the order of events. What is new is announced while it is open.'),
      t('- Alt+F2 opens it as one text.'),
    ].join('\n'),
    t('Alt+F1 opens this help in both. On Linux, where the desktop may take these keys, Shift+Alt+F1 and Shift+Alt+F2 do the same.'),
  ].join('\n\n')}\n`;
}
