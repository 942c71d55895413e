import type { DocumentModel } from './document-model.js';
import { bodyOf, changeOf, REFUSED_BODIES, someEdits, someFields, someTitle } from './material.js';
import type { Outcome } from './model-types.js';
import type { Random } from './random.js';
import { someTarget, type Target } from './targets.js';

/** A request, and what the model expects of its response. */
export interface Step {
  method: string;
  path: string;
  /** As sent. */
  body?: string;
  headers: Record<string, string>;
  expected: Expectation;
  /** An unreadable request is refused before its Idempotency-Key is checked. */
  isRefusedUnread?: true;
}

export type Expectation =
  | { of: 'operation'; outcome: Outcome }
  | { of: 'batch'; outcomes: Outcome[] }
  | { of: 'read'; outcome: Outcome; unchanged: boolean }
  | { of: 'version'; ref: number; number: number };

/** Random requests to one account. Each is applied to the model immediately. */
export class Operations {
  constructor(
    private readonly random: Random,
    private readonly model: DocumentModel,
    /** Ids in the order in which documents were created. Missing if the creation was undone. */
    private readonly ids: ReadonlyMap<number, string>,
  ) {}

  next(): Step {
    const kinds: [number, () => Step][] = [
      [0.14, () => this.create()],
      [0.38, () => this.patch()],
      [0.44, () => this.put()],
      [0.6, () => this.edit()],
      [0.66, () => this.delete()],
      [0.69, () => this.remove()],
      [0.76, () => this.restore()],
      [0.82, () => this.restoreVersion()],
      [0.93, () => this.batch()],
      [0.95, () => this.refused()],
      [0.98, () => this.read()],
      [1, () => this.readVersion()],
    ];
    const place = this.random.next();
    const [, make] = kinds.find(([until]) => place < until) ?? [1, () => this.read()];
    return make();
  }

  private create(): Step {
    const fields = { title: someTitle(this.random), ...someFields(this.random, false) };
    return step('POST', '', this.model.create(fields), { body: bodyOf(fields) });
  }

  private patch(): Step {
    const { ref, path, ifMatch, headers } = this.target();
    const fields = someFields(this.random, true);
    const body = changeOf(this.random, fields);
    return step('PATCH', path, this.model.patch(ref, ifMatch, fields), { body, headers });
  }

  private put(): Step {
    const { ref, path, ifMatch, headers } = this.target();
    const fields = { title: someTitle(this.random), ...someFields(this.random, true) };
    const body = changeOf(this.random, fields);
    return step('PUT', path, this.model.put(ref, ifMatch, fields), { body, headers });
  }

  private edit(): Step {
    const { ref, path, ifMatch, headers, content } = this.target();
    const edits = someEdits(this.random, content);
    const body = JSON.stringify({ edits });
    return step('POST', `${path}/edits`, this.model.edit(ref, ifMatch, edits), { body, headers });
  }

  private delete(): Step {
    const { ref, path, ifMatch, headers } = this.target();
    return step('DELETE', path, this.model.delete(ref, ifMatch), { headers });
  }

  private remove(): Step {
    const { ref, path, ifMatch, headers } = this.target(0.5);
    const outcome = this.model.remove(ref, ifMatch);
    return step('DELETE', `${path}?permanent=true`, outcome, { headers });
  }

  private restore(): Step {
    const { ref, path } = this.target(0.8);
    return step('POST', `${path}/restore`, this.model.restore(ref), {});
  }

  private restoreVersion(): Step {
    const { ref, path, ifMatch, headers, version } = this.target();
    const number = this.random.upTo(version + 1);
    const outcome = this.model.restoreVersion(ref, ifMatch, number);
    return step('POST', `${path}/versions/${String(number)}/restore`, outcome, { headers });
  }

  private batch(): Step {
    const atomic = this.random.chance(0.5);
    const texts: string[] = [];
    const works = Array.from({ length: 1 + this.random.upTo(5) }, () => {
      const { text, work } = this.operation();
      texts.push(text);
      return work;
    });
    const body = `{"atomic":${String(atomic)},"operations":[${texts.join(',')}]}`;
    const outcomes = atomic ? this.allOrNone(works) : works.map((work) => work());
    return {
      method: 'POST',
      path: '/batch',
      body,
      headers: {},
      expected: { of: 'batch', outcomes },
    };
  }

  private allOrNone(works: (() => Outcome)[]): Outcome[] {
    const outcomes: Outcome[] = [];
    const done = this.model.attempt(() =>
      works.every((work) => {
        const outcome = work();
        outcomes.push(outcome);
        return outcome.status < 300;
      }),
    );
    if (done) return outcomes;
    const failedOperation = outcomes.length - 1;
    const undone = { status: 424, details: { failedOperation } };
    return works.map((_, index) =>
      index === failedOperation ? (outcomes[index] ?? undone) : undone,
    );
  }

  private operation(): { text: string; work: () => Outcome } {
    const { ref, id, ifMatch } = this.target();
    const tag = ifMatch === undefined ? '' : `,"ifMatch":${JSON.stringify(ifMatch)}`;
    const place = this.random.next();
    if (place < 0.3) {
      const fields = { title: someTitle(this.random), ...someFields(this.random, false) };
      return {
        text: `{"op":"create","document":${bodyOf(fields)}}`,
        work: () => this.model.create(fields),
      };
    }
    if (place < 0.8) {
      const fields = someFields(this.random, true);
      const patch = changeOf(this.random, fields);
      return {
        text: `{"op":"update","id":"${id}","patch":${patch}${tag}}`,
        work: () => this.model.patch(ref, ifMatch, fields),
      };
    }
    if (place < 0.95) {
      return {
        text: `{"op":"delete","id":"${id}"${tag}}`,
        work: () => this.model.delete(ref, ifMatch),
      };
    }
    const document = this.random.pick([
      '{}',
      '{"title":""}',
      '{"title":"x","metadata":{"tags":7}}',
    ]);
    return { text: `{"op":"create","document":${document}}`, work: () => ({ status: 400 }) };
  }

  private refused(): Step {
    const method = this.random.pick(['POST', 'PATCH', 'PUT']);
    const path = method === 'POST' ? '' : this.target().path;
    const refused = step(method, path, { status: 400 }, { body: this.random.pick(REFUSED_BODIES) });
    return { ...refused, isRefusedUnread: true };
  }

  private read(): Step {
    const { ref, path, version } = this.target();
    const tag = this.random.pick([
      '',
      `"${String(version)}"`,
      `W/"${String(version)}"`,
      '"0"',
      '*',
    ]);
    const document = this.model.live(ref);
    const outcome: Outcome = document ? { status: 200, document } : { status: 404 };
    return {
      method: 'GET',
      path,
      headers: tag === '' ? {} : { 'If-None-Match': tag },
      expected: {
        of: 'read',
        outcome,
        unchanged: document !== undefined && !['', '"0"'].includes(tag),
      },
    };
  }

  private readVersion(): Step {
    const { ref, path, version } = this.target();
    const number = 1 + this.random.upTo(version);
    return {
      method: 'GET',
      path: `${path}/versions/${String(number)}`,
      headers: {},
      expected: { of: 'version', ref, number },
    };
  }

  private target(deletedShare = 0.1): Target {
    return someTarget(this.random, this.model, this.ids, deletedShare);
  }
}

function step(
  method: string,
  path: string,
  outcome: Outcome,
  { body, headers = {} }: { body?: string; headers?: Record<string, string> },
): Step {
  return {
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body }),
    expected: { of: 'operation', outcome },
  };
}
