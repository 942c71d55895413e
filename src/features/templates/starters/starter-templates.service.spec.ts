import { DOCUMENT_TYPES } from '../../content/document-type.js';
import { aiSettingsProblems, metadataProblems } from '../../content/open-objects.js';
import { parseObject } from '../../../platform/http/bodies/json-text.js';
import { fillTemplate } from '../variables/fill-template.js';
import { STARTER_TEMPLATES } from './starter-templates.service.js';
import { templateProblems, templateWarnings } from '../variables/template-warnings.js';
import { variablesOf, variablesProblems } from '../variables/variables.js';

describe('the starter templates', () => {
  it('cover each document type once', () => {
    expect(STARTER_TEMPLATES.map(({ type }) => type)).toEqual(DOCUMENT_TYPES);
  });

  it.each(STARTER_TEMPLATES.map((template) => [template.name, template] as const))(
    '%s: is accepted without a warning, and needs only its required variables',
    (_, template) => {
      const variables = variablesOf(template);
      expect(variablesProblems(variables)).toEqual([]);
      expect(metadataProblems(parseObject(template.metadata))).toEqual([]);
      expect(aiSettingsProblems(parseObject(template.aiSettings))).toEqual([]);
      expect([...templateProblems(template), ...templateWarnings(template)]).toEqual([]);
      expect(variables.every(({ description }) => description !== null)).toBe(true);
      const required = variables.filter((variable) => variable.required);
      expect(required.length).toBeGreaterThan(0);
      const filled = fillTemplate(template, new Map(required.map(({ name }) => [name, 'Value'])));
      expect(filled).toMatchObject({ missing: [], problems: [], warnings: [] });
      expect(filled.fields.content).not.toContain('{{');
      expect(filled.fields.content).not.toMatch(/[ \t]$/m);
    },
  );
});
