import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog, type CloseDialog } from '../../../components/dialog.js';
import { problemOf } from '../../people/person-fields.js';
import type { EnhanceRequest, useSuggestions } from './use-suggestions.js';

type Goal = NonNullable<EnhanceRequest['goals']>[number];

const GOALS: readonly (readonly [Goal, string])[] = [
  ['correct', 'Correct mistakes'],
  ['shorten', 'Shorten'],
  ['expand', 'Expand'],
  ['tone', 'Change the tone'],
  ['translate', 'Translate'],
  ['title', 'Propose a title'],
  ['summarise', 'Summarize'],
  ['custom', 'Follow my instructions'],
];

interface GoalsDialogProps {
  suggest: ReturnType<typeof useSuggestions>['suggest'];
  onClose: CloseDialog;
}

/** Asks what a language model shall do with the text. */
export default function GoalsDialog({ suggest, onClose }: GoalsDialogProps) {
  const [goals, setGoals] = useState<readonly Goal[]>(['correct']);
  const [tone, setTone] = useState('');
  const [targetLanguage, setTargetLanguage] = useState('');
  const [instructions, setInstructions] = useState('');
  const needed = [
    goals.length === 0,
    goals.includes('tone') && tone.trim() === '',
    goals.includes('translate') && targetLanguage.trim() === '',
    goals.includes('custom') && instructions.trim() === '',
  ];
  return (
    <FormDialog
      title="Choose goals"
      submit="Suggest edits"
      submission={suggest}
      disabled={needed.includes(true)}
      onClose={onClose}
      onSubmit={() => {
        const body = {
          goals: [...goals],
          ...(goals.includes('tone') && { tone: tone.trim() }),
          ...(goals.includes('translate') && { targetLanguage: targetLanguage.trim() }),
          ...(instructions.trim() !== '' && { instructions: instructions.trim() }),
        };
        suggest.mutate(body, { onSuccess: () => void onClose() });
      }}
    >
      <Checkbox.Group
        label="Goals"
        value={[...goals]}
        onChange={(values) => {
          setGoals(values);
        }}
      >
        <Stack gap="xs" mt="xs">
          {GOALS.map(([value, name]) => (
            <Checkbox key={value} value={value} label={name} />
          ))}
        </Stack>
      </Checkbox.Group>
      {goals.includes('tone') && (
        <GoalField
          label="Tone"
          placeholder="Friendly"
          value={tone}
          error={problemOf(suggest.error, 'tone')}
          onChange={setTone}
        />
      )}
      {goals.includes('translate') && (
        <GoalField
          label="Target language"
          placeholder="German"
          value={targetLanguage}
          error={problemOf(suggest.error, 'targetLanguage')}
          onChange={setTargetLanguage}
        />
      )}
      <Textarea
        label="Instructions"
        placeholder="Keep the product names as they are."
        required={goals.includes('custom')}
        autosize
        minRows={2}
        maxLength={4_000}
        value={instructions}
        error={problemOf(suggest.error, 'instructions')}
        onChange={({ currentTarget }) => {
          setInstructions(currentTarget.value);
        }}
      />
    </FormDialog>
  );
}

interface GoalFieldProps {
  label: string;
  placeholder: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** What one of the goals needs. */
function GoalField({ onChange, ...field }: GoalFieldProps) {
  return (
    <TextInput
      {...field}
      required
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}
