/** The union of all facts. A fact states what became true; it is never a request. */
import * as z from 'zod';
import { amendmentFacts } from './amendment.ts';
import { assessmentFacts } from './assessment.ts';
import { causeFacts } from './cause.ts';
import { verificationFacts } from './verification.ts';
import { contextFacts } from './discovered.ts';
import { correctionFacts } from './correction.ts';
import { documentFacts } from './document-review.ts';
import { editFacts } from './edit.ts';
import { finishFacts } from './finished.ts';
import { fixFacts } from './fix.ts';
import { gateFacts } from './gate.ts';
import { helperFacts } from './helper.ts';
import { pauseFacts } from './pause.ts';
import { pipelineFacts } from './pipeline.ts';
import { planReviewFacts } from './plan-review.ts';
import { needFacts } from './needs.ts';
import { hiddenFacts } from './hidden.ts';
import { humanActionFacts } from './human-action.ts';
import { installFacts } from './install.ts';
import { researchFacts } from './research.ts';
import { requirementFacts } from './requirement.ts';
import { revisionFacts } from './revision.ts';
import { serviceFacts } from './service.ts';
import { spendFacts } from './spend.ts';
import { strategyFacts } from './strategy.ts';
import { suiteFacts } from './suite.ts';
import { taskFacts } from './task.ts';
import { trafficFacts } from './traffic.ts';
import { treeFacts } from './tree.ts';
import { wordFacts } from './word.ts';

export const fact = z.discriminatedUnion('fact', [
  ...requirementFacts,
  ...revisionFacts,
  ...contextFacts,
  ...documentFacts,
  ...amendmentFacts,
  ...correctionFacts,
  ...strategyFacts,
  ...gateFacts,
  ...taskFacts,
  ...planReviewFacts,
  ...verificationFacts,
  ...hiddenFacts,
  ...helperFacts,
  ...editFacts,
  ...causeFacts,
  ...suiteFacts,
  ...treeFacts,
  ...fixFacts,
  ...researchFacts,
  ...needFacts,
  ...trafficFacts,
  ...serviceFacts,
  ...humanActionFacts,
  ...wordFacts,
  ...pauseFacts,
  ...installFacts,
  ...assessmentFacts,
  ...spendFacts,
  ...finishFacts,
  ...pipelineFacts,
]);
export type Fact = z.infer<typeof fact>;
export type FactOf<K extends Fact['fact']> = Extract<Fact, { fact: K }>;
