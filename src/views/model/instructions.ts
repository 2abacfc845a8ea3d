/** The document of a human action: what to do, what is still missing, and what became of it. Plain text that looks like markdown. */
import { pictureOf } from '../../engine/picture/picture.ts';
import { renderPlan } from '../../engine/render/plan-text.ts';
import type { State } from '../../engine/state/state.ts';
import type { HumanAction } from '../../engine/work/human-action.ts';
import { t } from '../words.ts';

/** @returns undefined when the sprint has no such human action. */
export function instructionsOf(state: State, id: string): string | undefined {
  const humanAction = state.ledger.humanActions[id];
  if (!humanAction) return undefined;
  const { action, instructions, missing } = humanAction;
  const tasks = pictureOf(state).humanActions.find((one) => one.humanAction.id === id)?.tasks ?? [];
  const parts = [
    `# ${action}`,
    isLeftToLoop(humanAction) ? t('**You left it to Loop.** It takes what it recommends.') : settledWords[humanAction.status],
    instructions,
    ...(humanAction.kind === 'deed' ? deedParts(humanAction, state.opened.worktree ?? '') : []),
    tasks.length > 0 ? t('Until then these tasks wait: {0}.', tasks.map((task) => task.id).join(', ')) : '',
    humanAction.kind === 'approval'
      ? renderPlan(state)
          .replace(/^# .*\n+/, '')
          .trimEnd()
      : '',
    missing && t('## Still missing\n\n{0}', missing),
    `---\n${howToAnswer(humanAction)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function isLeftToLoop({ kind, status }: HumanAction): boolean {
  return kind === 'choice' && status === 'skipped';
}

/** Empty while the person is asked. */
const settledWords: Record<HumanAction['status'], string> = {
  open: '',
  answered: t('**You answered.** Loop acts on it before its next decision.'),
  fulfilled: t('**Done.** What was asked of you is there, and Loop goes on with it.'),
  skipped: t('**You skipped it.** The tasks that waited for it are dropped.'),
  'not-needed': t('**Not needed any more.** The reason for asking is gone.'),
};

function deedParts({ paths, command }: Extract<HumanAction, { kind: 'deed' }>, worktree: string): string[] {
  const files = paths.map((path) => `- ${path}`).join('\n');
  return [
    files && t('## Files that are expected in your checkout\n\n{0}', files),
    command && t('## How Loop knows that it is done\n\n    {0}', command.replaceAll('\n', '\n    ')),
    command && worktree && t('Look yourself: run it in {0}', worktree),
  ];
}

function howToAnswer({ kind, status }: HumanAction): string {
  if (status !== 'open') return t('Nothing is asked of you here now.');
  if (kind === 'choice')
    return t(
      'Choose for each, or leave it to Loop: in the notification, by a click on it in the Sprint tree, or by a click on Loop in the status bar.',
    );
  if (kind === 'approval')
    return t(
      'Change a task by a right click on it in the Tasks tree. Approve the plan in the notification, in the Sprint tree, or by a click on Loop in the status bar.',
    );
  if (kind !== 'deed')
    return t('Answer it in words: in the notification, by a click on it in the Sprint tree, or by a click on Loop in the status bar.');
  return t(
    'Loop checks this by itself and goes on when it is done. If Loop cannot know, choose "I have done it" in the notification, in the Sprint tree, or by a click on Loop in the status bar.',
  );
}
