import { Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { showDone } from '../../components/messages.js';
import { Form } from '../people/form.js';
import { problemOf } from '../people/person-fields.js';

type Settings = components['schemas']['AccountSettings'];

/** Analysis method and score-drop threshold. Only owners can change them, because text may leave the server. */
export function AnalysisSettings({ settings }: { settings: Settings }) {
  const { id, api, may, role } = useAccount();
  const queryClient = useQueryClient();
  const [provider, setProvider] = useState(settings.provider);
  const [drop, setDrop] = useState(textOf(settings.qualityDrop));
  const mayChange = may('*');
  const save = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/v1/analysis-settings', {
          body: { provider, qualityDrop: drop.trim() === '' ? null : Number(drop) },
        }),
      ),
    onSuccess: (changed) => {
      showDone('Analysis settings saved.');
      setDrop(textOf(changed.qualityDrop));
      queryClient.setQueryData([id, 'analysis-settings'], changed);
    },
  });
  const isNumber = drop.trim() === '' || Number.isFinite(Number(drop));
  const isSame = provider === settings.provider && drop.trim() === textOf(settings.qualityDrop);
  return (
    <Form
      submit="Save settings"
      submission={save}
      disabled={!isNumber || isSame}
      whyNot={mayChange ? undefined : `Only owners can change this. Your role is ${role}.`}
      onSubmit={() => {
        save.mutate();
      }}
    >
      <Radio.Group
        label="Analysis method"
        value={provider}
        onChange={(value) => {
          setProvider(value === 'model' ? 'model' : 'offline');
        }}
      >
        <Stack gap="xs" mt="xs">
          <Radio
            value="offline"
            label="Rules and dictionaries on this server"
            description="No text leaves the server."
            disabled={!mayChange}
          />
          <Radio
            value="model"
            label="Rules, dictionaries and a language model"
            description={
              settings.model === null
                ? "The operator hasn't configured a language model."
                : `${settings.model}. Analyzed text is sent to the provider of the model.`
            }
            disabled={!mayChange || settings.model === null}
          />
        </Stack>
      </Radio.Group>
      <Group align="flex-start">
        <TextInput
          label="Notify when the score drops by"
          description="Points. A larger drop sends the event document.quality_dropped. Leave empty to turn off."
          inputMode="decimal"
          maw={420}
          disabled={!mayChange}
          value={drop}
          error={isNumber ? problemOf(save.error, 'qualityDrop') : 'Enter a number from 0 to 100.'}
          onChange={({ currentTarget }) => {
            setDrop(currentTarget.value);
          }}
        />
      </Group>
      {!mayChange && (
        <Text size="sm" c="dimmed">
          Only owners can change this, because text may leave the server. Your role is {role}.
        </Text>
      )}
    </Form>
  );
}

function textOf(points: number | null): string {
  return points === null ? '' : String(points);
}
