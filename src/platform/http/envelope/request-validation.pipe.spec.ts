import type { ArgumentMetadata } from '@nestjs/common';
import { OmitType } from '@nestjs/swagger';
import { AppError } from '../../basics/errors/app-error.js';
import type { Config } from '../../config/config.js';
import { AcceptsFields, configFor, Field } from '../../openapi/field.js';
import { Filter } from '../../openapi/filter.js';
import { parseJsonObject, sourceText } from '../bodies/json-text.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

class PersonDto {
  @Field.text({ max: 5, notBlank: true }) name: string;
  @Field.list(['read', 'write'], { optional: true, unique: 'must not repeat a right' })
  rights?: string[];
}

// Tests run in a context of their own, whose objects are no instances of the `Object` that class-validator knows.
Object.setPrototypeOf(PersonDto.prototype, Object.getPrototypeOf(Field) as object);

@AcceptsFields(['id'])
class NoteDto {
  @Field.text({ max: 10, nullable: true, oneLine: true }) title: string | null;
  @Field.integer({ optional: true, min: 1, max: 3 }) level = 2;
  @Field.object({ additionalProperties: true }, { optional: true }) metadata?: object;
  @Field.object(PersonDto, { optional: true, nullable: true }) author?: PersonDto | null;
  @Field.list(PersonDto, { optional: true, max: 3 }) readers?: PersonDto[];
  @Field.list({ type: 'string' }, {
    optional: true,
    check: (value) =>
      (value as unknown[]).flatMap((one, n) =>
        typeof one === 'string' ? [] : [{ field: `tags[${String(n)}]`, issue: 'must be a string' }],
      ),
  })
  tags?: string[]; // prettier-ignore

  static readonly elsewhere = { status: 'is set by publishing' };
}

class StrictNoteDto extends OmitType(NoteDto, ['level']) {
  @Field.integer({ min: 1, max: 3 }) level: number;
}

class ListNotesDto {
  @Filter.integer({ min: 1, max: 9 }) limit = 5;
  @Filter.several(['a', 'b'], {}) type?: string[];
  @Field.text({ optional: true, max: 5 }) q?: string;
}

const pipe = new RequestValidationPipe({} as Config);
const validated = (
  value: unknown,
  metatype: ArgumentMetadata['metatype'],
  type: 'body' | 'query',
) => pipe.transform(value, { type, metatype });
const body = (json: string, metatype: ArgumentMetadata['metatype'] = NoteDto) =>
  validated(parseJsonObject(Buffer.from(json)), metatype, 'body');

async function problemsOf(result: Promise<unknown>): Promise<unknown> {
  const error: unknown = await result.catch((thrown: unknown) => thrown);
  if (!(error instanceof AppError)) throw new Error('The request was accepted.');
  const problems = error.details?.['problems'] as { field: string; issue: string }[];
  return problems.map(({ field, issue }) => `${field} ${issue}`);
}

describe('validation of a body', () => {
  it('returns an instance of the DTO, with defaults and the instances that it contains', async () => {
    const note = await body(
      '{"title":"A","author":{"name":"Ada","rights":["read"]},"id":{"any":1}}',
    );
    expect(note).toBeInstanceOf(NoteDto);
    expect(note).toMatchObject({ title: 'A', level: 2, author: { name: 'Ada' }, id: { any: 1 } });
    expect((note as NoteDto).author).toBeInstanceOf(PersonDto);
  });

  it('reports all problems in the order of the fields, then unknown fields with the nearest name', async () => {
    const json = `{"titel":1,"status":"x","tags":["a",1,2],"readers":[{"name":""},{"name":"Ada","nam":1}],
      "author":{"rights":["read","read"]},"metadata":[],"level":4}`;
    expect(await problemsOf(body(json))).toEqual([
      'title required field missing',
      'level must be a whole number from 1 to 3',
      'metadata must be an object',
      'author.name required field missing',
      'author.rights must not repeat a right',
      'readers[0].name must not be blank',
      "readers[1].nam is not a known field; did you mean 'name'?",
      'tags[1] must be a string',
      'tags[2] must be a string',
      "titel is not a known field; did you mean 'title'?",
      'status is set by publishing',
    ]);
  });

  it('accepts null only where a field does', async () => {
    expect(await body('{"title":null,"author":null}')).toMatchObject({ title: null, author: null });
    expect(await problemsOf(body('{"title":1,"level":null,"readers":null}'))).toEqual([
      'title must be a string or null',
      'level must be a whole number from 1 to 3',
      'readers must be an array',
    ]);
  });

  it.each(['[]', '[{"name":"Ada"}]', 'null', '1', '"x"'])('refuses %s as an item of a list of objects', async (item) => {
    expect(await problemsOf(body(`{"title":"A","readers":[${item}]}`))).toEqual(['readers[0] must be an object']);
  }); // prettier-ignore

  it('returns open objects as they were sent, with names that every object inherits', async () => {
    const metadata =
      '{ "constructor":"c","__proto__":{"prototype":1.0},"toString":[{"constructor":{}}] }';
    const note = (await body(`{"title":"A","metadata":${metadata}}`)) as NoteDto;
    expect(sourceText(note.metadata ?? {})).toBe(metadata);
    expect(Object.keys(note.metadata ?? {})).toEqual(['constructor', '__proto__', 'toString']);
  });

  it.each(['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'then'])('refuses %s as a field of a DTO, beside all other problems', async (name) => {
    expect(await problemsOf(body(`{"zeal":1,"${name}":{},"title":1,"youth":[]}`))).toEqual([
      'title must be a string or null',
      expect.stringMatching('^zeal is not a known field'),
      expect.stringMatching(`^${name} is not a known field; known names are title, `),
      expect.stringMatching('^youth is not a known field'),
    ]);
    expect(await problemsOf(body(`{"title":"A","readers":[{"name":"B","${name}":1}]}`))).toEqual([
      expect.stringMatching(String.raw`^readers\[0\]\.${name} is not a known field`),
    ]);
  }); // prettier-ignore

  it('reads nothing in a value of the wrong type', async () => {
    const untouchable = new Proxy({}, { get: () => { throw new Error('read'); }, ownKeys: () => { throw new Error('read'); } }); // prettier-ignore
    const problems = problemsOf(
      validated({ title: untouchable, other: untouchable }, NoteDto, 'body'),
    );
    expect(await problems).toEqual([
      'title must be a string or null',
      expect.stringMatching('^other is not a known field'),
    ]);
  });

  it('examines at most 100 unknown fields', async () => {
    const names = Array.from({ length: 9_000 }, (_, n) => `"unknown${String(n)}":1`);
    const refused = body(`{"title":"A",${names.join(',')}}`);
    // It counts those that were examined, which take 8 µs each.
    await expect(refused).rejects.toThrow(/^unknown0: .* \(and 99 more\)$/);
  });

  it('requires a field that a class redeclares as required', async () => {
    expect(await problemsOf(body('{"title":"A"}', StrictNoteDto))).toEqual(['level required field missing']);
    expect(await body('{"title":"A","level":1}', StrictNoteDto)).toMatchObject({ level: 1 });
  }); // prettier-ignore

  it('gives checks the configuration of its own application', async () => {
    class ConfiguredDto {
      @Field.text({ max: 5, check: (_, dto) => `is on port ${String(configFor(dto).port)}` }) url: string;
    } // prettier-ignore
    const problems = [1, 2].map((port) => {
      const other = new RequestValidationPipe({ port } as Config);
      return problemsOf(other.transform({ url: 'x' }, { type: 'body', metatype: ConfiguredDto }));
    });
    expect(await Promise.all(problems)).toEqual([['url is on port 1'], ['url is on port 2']]);
  });
});

describe('validation of a query', () => {
  it('shares one frozen DTO among all empty queries', async () => {
    const [one, other] = [await validated({}, ListNotesDto, 'query'), await validated({}, ListNotesDto, 'query')];
    expect(one).toBe(other);
    expect(one).toEqual({ limit: 5 });
    expect(Object.isFrozen(one)).toBe(true);
  }); // prettier-ignore

  it('converts text, and refuses to repeat what is not a list', async () => {
    const query = { limit: '3', type: ['a', 'b', 'a'] };
    expect(await validated(query, ListNotesDto, 'query')).toEqual({ limit: 3, type: ['a', 'b'] });
    const repeated = { limit: ['1', '2', '3'], q: ['a', 'b'], type: 'c' };
    expect(await problemsOf(validated(repeated, ListNotesDto, 'query'))).toEqual([
      'limit was given 3 times; give it once',
      'type must be a or b',
      'q was given twice; give it once',
    ]);
    expect(await problemsOf(body('{"title":["a","b"]}'))).toEqual([
      'title must be a string or null',
    ]);
  });
});
