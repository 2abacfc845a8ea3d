/** What commands get besides what the sprint opened with: a person alone gives it, and it stays (I6). */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fold } from '../../src/engine/core/fold.ts';
import { event, type Event } from '../../src/engine/state/events.ts';
import { translated } from '../../src/engine/state/older.ts';
import { openedEvent, Story } from './support/events.ts';

describe('access', () => {
  it('is given by a person besides what the sprint opened with, and none of it is taken away', () => {
    const story = new Story({ environment: ['A'], docker: true });
    story.said({ fact: 'access.granted', environment: ['A', 'B'], docker: false });
    const { config, opened } = story.state;
    assert.deepEqual([config.environment, config.docker, opened.config.environment], [['A', 'B'], true, ['A']]);
  });

  it('adds hosts to those that the sprint opened with', () => {
    const story = new Story({ allowedHosts: ['a.example'] });
    story.said({ fact: 'access.granted', environment: [], docker: false, allowedHosts: ['a.example', 'localhost:5432'] });
    assert.deepEqual(story.state.config.allowedHosts, ['a.example', 'localhost:5432']);
  });

  it('leaves a sprint of before there were registries with the network that it opened with', () => {
    const { allowedHosts: _hosts, ...config } = openedEvent().config;
    const older = event.parse(translated({ ...openedEvent(), config: { ...config, network: 'installs' } }));
    const { config: now } = fold([older]);
    assert.deepEqual([now.network, now.allowedHosts], ['installs', []]);
  });

  it('is given to a sprint of before there was any', () => {
    const { environment: _environment, docker: _docker, ...config } = openedEvent().config;
    const facts = [{ fact: 'access.granted' as const, environment: ['B'], docker: true }];
    const said: Event = { n: 2, owner: 1, at: 2, type: 'person.said', facts };
    const older = event.parse(translated({ ...openedEvent(), config }));
    const { config: now } = fold([older, said]);
    assert.deepEqual([now.environment, now.docker], [['B'], true]);
  });
});
