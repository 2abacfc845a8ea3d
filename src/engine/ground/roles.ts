/** The eight roles of agents: model tier, turns, effort and length of a reply. */
import type { Config } from './config.ts';

export const roleNames = ['reasoner', 'evaluator', 'researcher', 'builder', 'fixer', 'qc', 'examiner', 'classifier'] as const;
export type RoleName = (typeof roleNames)[number];

export interface Role {
  tier: keyof Config['models'];
  /** Model calls in one session. */
  turns: number;
  effort: 'low' | 'medium' | 'high' | 'max';
  /** Tokens of one reply. */
  maxTokens: number;
}

export const roles: Record<RoleName, Role> = {
  reasoner: { tier: 'reasoning', turns: 40, effort: 'max', maxTokens: 32_768 },
  evaluator: { tier: 'reasoning', turns: 40, effort: 'high', maxTokens: 32_768 },
  researcher: { tier: 'reasoning', turns: 30, effort: 'high', maxTokens: 16_384 },
  builder: { tier: 'execution', turns: 60, effort: 'medium', maxTokens: 16_384 },
  fixer: { tier: 'execution', turns: 25, effort: 'medium', maxTokens: 16_384 },
  qc: { tier: 'execution', turns: 30, effort: 'medium', maxTokens: 32_768 },
  /** A second QC; its model is not that of QC and builders, where two are configured. */
  examiner: { tier: 'reasoning', turns: 30, effort: 'medium', maxTokens: 16_384 },
  classifier: { tier: 'triage', turns: 5, effort: 'low', maxTokens: 4_096 },
};
