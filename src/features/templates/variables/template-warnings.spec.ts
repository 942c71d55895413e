import type { TemplateFields } from '../template-fields.js';
import { templateProblems, templateWarnings } from './template-warnings.js';
import { readVariables, type DeclaredVariable } from './variables.js';

const declared = (variables: DeclaredVariable[]) => JSON.stringify(readVariables(variables));
const template = (fields: Partial<TemplateFields>): TemplateFields => ({
  name: 'Letter',
  description: null,
  type: 'document',
  title: null,
  content: '',
  variables: '[]',
  metadata: '{}',
  aiSettings: '{}',
  ...fields,
});
const fieldsOf = (fields: Partial<TemplateFields>) =>
  templateWarnings(template(fields)).map(({ field }) => field);

describe('a stored template', () => {
  it('has no warning when every variable is declared and used', () => {
    const variables = declared([
      { name: 'a', required: true },
      { name: 'b', default: '' },
    ]);
    expect(fieldsOf({ title: '{{a}}', metadata: '{"k":["{{b}}"]}', variables })).toEqual([]);
  });

  it('warns about a suggestion level that analyses do not know', () => {
    const levels = ['extreme', 'Extreme', 'moderate', 'HIGH', '', 'x'.repeat(300)];
    const warnings = levels.map((suggestionLevel) =>
      templateWarnings(template({ aiSettings: JSON.stringify({ suggestionLevel }) })),
    );
    expect(warnings.map(({ length }) => length)).toEqual([1, 1, 0, 0, 0, 1]);
    expect(warnings[0]).toEqual([
      {
        field: 'aiSettings.suggestionLevel',
        issue: '"extreme" is unknown, so analyses use medium; known levels are low, medium, high',
      },
    ]);
  });

  it('warns about an undeclared variable and suggests the likely one', () => {
    const variables = declared([{ name: 'client' }]);
    const content = '{{client}} {{cleint}}{{cleint}}';
    expect(templateWarnings(template({ content, title: '{{client}}', variables }))).toEqual([
      {
        field: 'content',
        issue:
          "uses {{cleint}}, which is not declared in variables and therefore optional; did you mean 'client'?",
      },
    ]);
  });

  it('warns about an unused variable, and about a default that makes required meaningless', () => {
    const variables = declared([{ name: 'a', required: true, default: 'x' }]);
    expect(fieldsOf({ content: '\\{{a}}', variables })).toEqual([
      'variables[0].name',
      'variables[0].required',
    ]);
  });

  it('warns about text that only looks like a variable', () => {
    expect(fieldsOf({ content: '{{first name}}', metadata: '{"k":"{{#if}}"}' })).toEqual([
      'content',
      'metadata',
    ]);
  });

  it('has at most a hundred variables, declared or not', () => {
    const uses = (count: number) =>
      Array.from({ length: count }, (_, index) => `{{v${String(index)}}}`).join('');
    expect(templateProblems(template({ content: uses(100) }))).toEqual([]);
    expect(templateProblems(template({ content: uses(101) }))).toHaveLength(1);
    const variables = declared([{ name: 'other' }]);
    expect(templateProblems(template({ content: uses(100), variables }))).toHaveLength(1);
  });
});
