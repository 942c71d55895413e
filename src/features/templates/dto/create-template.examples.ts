import type { CreateTemplateDto } from './create-template.dto.js';
import type { PreviewTemplateDto } from './preview-template.dto.js';

type Examples<Body> = Readonly<Record<string, { summary: string; value: Body }>>;

/** Bodies of `POST /v1/templates` that the API document shows. */
export const CREATE_TEMPLATE_EXAMPLES: Examples<CreateTemplateDto> = {
  nameAndContent: {
    summary: 'A name and a text',
    value: { name: 'Greeting', content: 'Dear {{client}},\n' },
  },
  meetingNotes: {
    summary: 'Variables with a default, and metadata that uses one',
    value: {
      name: 'Meeting notes',
      description: 'For meetings of the team',
      type: 'document',
      title: '{{topic}}: notes of {{date}}',
      content: '# {{topic}}\n\nDate: {{date}}\n\nPresent: {{participants}}\n',
      variables: [
        { name: 'topic', required: true, description: 'What the meeting was about' },
        { name: 'date', required: true, description: 'Such as 2026-11-21' },
        { name: 'participants', default: 'everyone' },
        { name: 'project' },
      ],
      metadata: { tags: ['meeting'], project: '{{project}}' },
    },
  },
};

/** Bodies of `POST /v1/templates/{id}/preview`. */
export const PREVIEW_TEMPLATE_EXAMPLES: Examples<PreviewTemplateDto> = {
  empty: { summary: 'Nothing filled in yet', value: {} },
  filled: {
    summary: 'Some variables',
    value: { templateVariables: { client: 'Ada Lovelace' } },
  },
};
