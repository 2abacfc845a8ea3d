/** By which variables the work could tell that it is judged. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { guiseOf, textOf } from '../../../src/host/sandbox/guise.ts';
import type { Job } from '../../../src/engine/work/job.ts';

const scriptJob = (script: string, more: Partial<Job> = {}) => ({ run: { script, ext: 'sh', name: 'x' }, ...more });
const service: Job['services'] = [{ name: 'api', start: { command: 'serve' }, ready: { tcp: '$PORT' }, limit: 5 }];

describe('the variables of a run', () => {
  it('name only the folders that its text names', () => {
    assert.deepEqual(guiseOf(scriptJob('true')).env, {});
    assert.deepEqual(guiseOf(scriptJob('ls $TEST_DATA_DIR')).env, { TEST_DATA_DIR: '/tmp/data' });
    assert.deepEqual(guiseOf({ run: { command: 'ls $REPORTS_DIR' } }).env, { REPORTS_DIR: '/run/reports' });
    assert.match(guiseOf(scriptJob('pytest')).env['PYTEST_ADDOPTS'] ?? '', /^--junitxml=\/run\/reports\/pytest\.xml /);
  });

  it('have other names and places, each time others, where it is to look like any other', () => {
    const job = scriptJob('# TEST: TEST_DATA_DIR\nx=$TEST_DATA_DIR/$REPORTS_DIR\npython3 -c "os.environ[\'TEST_DATA_DIR\']"', {
      alike: true,
    });
    const [one, two] = [guiseOf(job), guiseOf(job)];
    const [[name, path]] = Object.entries(one.env) as [[string, string]];
    assert.equal(path, one.data);
    assert.equal(textOf(one).split(name).length, 4);
    assert.deepEqual(Object.values(one.env), [one.data, one.reports]);
    assert.doesNotMatch(JSON.stringify(one), /TEST_DATA_DIR|REPORTS_DIR|\/tmp\/data|\/run\/reports/);
    assert.notEqual(one.data, two.data);
    assert.notEqual(textOf(one), textOf(two));
  });

  it('are not there then if the text does not name them', () => {
    assert.deepEqual(guiseOf(scriptJob('pytest', { alike: true })).env, {});
    assert.deepEqual(guiseOf(scriptJob('pytest', { alike: true })).without, ['SEED', 'PORT']);
    assert.deepEqual(guiseOf(scriptJob('curl :$PORT', { alike: true })).without, ['SEED']);
    assert.deepEqual(guiseOf(scriptJob('pytest')).without, []);
  });

  it('stay as they are with services, which may name them as well', () => {
    const { env, without, data } = guiseOf(scriptJob('ls $TEST_DATA_DIR', { alike: true, services: service }));
    assert.deepEqual([env, without, data], [{ TEST_DATA_DIR: '/tmp/data' }, [], '/tmp/data']);
  });
});
