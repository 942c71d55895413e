import { fillTemplate } from './fill-template.js';
import type { TemplateFields } from '../template-fields.js';

const template = (fields: Partial<TemplateFields> = {}): TemplateFields => ({
  name: 'Letter',
  description: null,
  type: 'document',
  title: 'To {{client}}',
  content: 'Dear {{client}}, {{greeting}}{{note}}',
  variables: JSON.stringify([
    { name: 'client', required: true, default: null, description: null },
    { name: 'greeting', required: false, default: 'hello', description: null },
    { name: 'note', required: false, default: null, description: null },
  ]),
  metadata: '{"project":"{{client}}"}',
  aiSettings: '{"language":"{{client}}"}',
  ...fields,
});
const given = (values: Record<string, string>) => new Map(Object.entries(values));

describe('a filled template', () => {
  it('uses the given value, otherwise the default, otherwise nothing; aiSettings do not change', () => {
    const { fields, missing, problems, warnings } = fillTemplate(
      template(),
      given({ client: 'Ada' }),
    );
    expect(fields).toEqual({
      title: 'To Ada',
      type: 'document',
      content: 'Dear Ada, hello',
      metadata: '{"project":"Ada"}',
      aiSettings: '{"language":"{{client}}"}',
    });
    expect([missing, problems]).toEqual([[], []]);
    expect(warnings.map(({ field }) => field)).toEqual(['templateVariables.note']);
  });

  it('treats an empty text as given', () => {
    const filled = fillTemplate(template(), given({ client: '', greeting: '', note: '' }));
    expect(filled.fields.content).toBe('Dear , ');
    expect([filled.missing, filled.warnings]).toEqual([[], []]);
  });

  it('lists missing variables and leaves their placeholders visible', () => {
    const { fields, missing } = fillTemplate(template(), given({ note: '{{client}}' }));
    expect(missing).toEqual(['client']);
    expect(fields.content).toBe('Dear {{client}}, hello{{client}}');
  });

  it('does not report a required variable with a default as missing', () => {
    const variables = [{ name: 'client', required: true, default: 'you', description: null }];
    const filled = fillTemplate(template({ variables: JSON.stringify(variables) }), given({}));
    expect([filled.missing, filled.fields.title]).toEqual([[], 'To you']);
  });

  it('recognizes variables that are used but not declared', () => {
    const loose = template({
      variables: '[]',
      content: '{{b}}{{toString}}',
      metadata: '{}',
      title: null,
    });
    const filled = fillTemplate(loose, given({ b: 'B', __proto__x: 'x' }));
    expect(filled.fields).toMatchObject({ content: 'B', title: null });
    expect(filled.problems.map(({ field }) => field)).toEqual(['templateVariables.__proto__x']);
    expect(filled.warnings.map(({ field }) => field)).toEqual(['templateVariables.toString']);
  });

  it('refuses an unknown variable and suggests the likely name', () => {
    const { problems } = fillTemplate(template(), given({ clint: 'Ada', xyzzy: '' }));
    expect(problems).toEqual([
      {
        field: 'templateVariables.clint',
        issue: "is not a variable of the template; did you mean 'client'?",
      },
      {
        field: 'templateVariables.xyzzy',
        issue: 'is not a variable of the template; its variables are client, greeting, note',
      },
    ]);
  });

  it('warns about a value that is not used because its fields come from the request', () => {
    const values = given({ client: 'Ada', note: 'x' });
    const { fields, warnings } = fillTemplate(template(), values, new Set(['title']));
    expect(fields.content).toContain('{{note}}');
    expect(warnings).toEqual([
      {
        field: 'templateVariables.note',
        issue: 'is not used in any field that comes from the template',
      },
    ]);
  });

  it('refuses fields that become too large, and names each of them', () => {
    const long = given({ client: 'é'.repeat(501) });
    expect(fillTemplate(template({ title: '{{client}}' }), long).problems).toHaveLength(1);
    const huge = given({ client: 'x'.repeat(1024 * 1024) });
    const { problems } = fillTemplate(template(), huge);
    expect(problems.map(({ field }) => field)).toEqual(['title', 'content', 'metadata']);
    const fits = given({ client: '😀'.repeat(497) });
    expect(fillTemplate(template({ metadata: '{}' }), fits).problems).toEqual([]);
  });
});
