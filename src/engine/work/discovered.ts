/** Result of discovery: what kind of thing is to be delivered, and how to verify it. */
import * as z from 'zod';
import { declaredSuite } from './suite.ts';
import { declaredNeed } from './needs.ts';
import { service } from './service.ts';

export const sprintContext = z.object({
  deliverableType: z.enum(['software', 'document', 'data', 'config', 'hybrid']),
  projectType: z.string(),
  codebaseState: z.enum(['greenfield', 'brownfield', 'non_code']),
  environment: z.record(z.string(), z.unknown()),
  verificationStrategy: z.record(z.string(), z.unknown()),
  /** Installs whose flags no manifest tells, joined by `&&`, or empty. Only a package manager's own install may use the network. */
  install: z.string(),
  /** The repository's own test suites. */
  suites: z.array(declaredSuite),
  /** Why an install or a suite that discovery named was not taken; a sentence each. */
  leftOut: z.array(z.string()).optional(),
  /** Services that the deliverable needs while it is used. */
  services: z.array(service),
  valueProofs: z.array(z.string()),
  unresolvedQuestions: z.array(z.string()),
  /** What a person must supply. */
  needs: z.array(declaredNeed),
});
export type SprintContext = z.infer<typeof sprintContext>;

export const contextFacts = [z.object({ fact: z.literal('context.discovered'), context: sprintContext })] as const;
