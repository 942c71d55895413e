import {
  Button,
  Checkbox,
  Fieldset,
  Group,
  NativeSelect,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../../api/client.js';
import { SELECTABLE_EVENTS, type SelectableEvent } from '../../api/event-types.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone } from '../../components/messages.js';
import { useAllowance } from '../../components/use-allowance.js';
import { FilterFields } from './filter-fields.js';
import type { WebhookForm } from './webhook-form.js';
import classes from './webhook-fields.module.css';

const PAYLOADS = [
  { value: 'full', label: 'Full: the complete resource' },
  { value: 'thin', label: 'Thin: ID, version and status only' },
];

const BOXES = Object.entries(SELECTABLE_EVENTS) as [SelectableEvent, string][];

interface WebhookFieldsProps {
  form: WebhookForm;
  onChange: (changes: Partial<WebhookForm>) => void;
  /** Failure of the request that sent the fields, to show problems next to them. */
  error: unknown;
  /** True for a read-only field. */
  disabled?: boolean;
}

/** The fields of a webhook, for creating and for editing. */
export function WebhookFields({ form, onChange, error, disabled = false }: WebhookFieldsProps) {
  const problemOf = (field: string) =>
    error === null || error === undefined ? undefined : asFailure(error).problemOf(field);
  const problemBelow = (field: string) =>
    error === null || error === undefined ? undefined : asFailure(error).problemBelow(field);
  return (
    <Stack>
      <UrlField
        value={form.url}
        problem={problemOf('url')}
        disabled={disabled}
        onChange={(url) => {
          onChange({ url });
        }}
      />
      <EventBoxes
        events={form.events}
        problem={problemOf('events') ?? problemOf('events[0]')}
        disabled={disabled}
        onChange={(events) => {
          onChange({ events });
        }}
      />
      <NativeSelect
        label="Payload"
        description="How much data each event includes."
        data={PAYLOADS}
        value={form.payload}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onChange({ payload: currentTarget.value === 'thin' ? 'thin' : 'full' });
        }}
      />
      <FilterFields
        form={form}
        problemBelow={problemBelow}
        disabled={disabled}
        onChange={onChange}
      />
      <Textarea
        label="Headers"
        description="One per line, such as Authorization: Bearer …. Values are encrypted. Only the last characters are shown."
        rows={2}
        value={form.headers}
        error={problemBelow('headers')}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onChange({ headers: currentTarget.value });
        }}
      />
      <TextInput
        label="Description"
        description="What this webhook is for."
        value={form.description}
        error={problemOf('description')}
        maxLength={500}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onChange({ description: currentTarget.value });
        }}
      />
    </Stack>
  );
}

interface UrlFieldProps {
  value: string;
  problem: string | undefined;
  disabled: boolean;
  onChange: (url: string) => void;
}

/** A field for the URL of a receiver, or of a test receiver of the service. */
function UrlField({ value, problem, disabled, onChange }: UrlFieldProps) {
  const { id: accountId } = useAccount();
  const queryClient = useQueryClient();
  const allowance = useAllowance('webhooks:write');
  const receiver = useMutation({
    mutationFn: () =>
      dataOf(
        dashboardApi.POST('/dashboard/api/accounts/{accountId}/receivers', {
          params: { path: { accountId: accountId } },
        }),
      ),
    onSuccess: async ({ url }) => {
      onChange(url);
      showDone('Test receiver ready. It works for one day and keeps the last 50 deliveries.');
      await queryClient.invalidateQueries({ queryKey: [accountId, 'receivers'] });
    },
  });
  return (
    <>
      <Group align="flex-end" gap="xs" wrap="nowrap" className={classes.url}>
        <TextInput
          className={classes.urlField}
          label="URL"
          description="The URL that receives events."
          type="url"
          placeholder="https://example.com/webhooks"
          value={value}
          error={problem}
          disabled={disabled}
          data-autofocus
          onChange={({ currentTarget }) => {
            onChange(currentTarget.value);
          }}
        />
        <Button
          variant="default"
          loading={receiver.isPending}
          onClick={() => {
            receiver.mutate();
          }}
          {...allowance}
        >
          Use test receiver
        </Button>
      </Group>
      {receiver.error && <FailureAlert error={receiver.error} />}
    </>
  );
}

interface EventBoxesProps {
  events: readonly SelectableEvent[];
  problem: string | undefined;
  disabled: boolean;
  onChange: (events: SelectableEvent[]) => void;
}

function EventBoxes({ events, problem, disabled, onChange }: EventBoxesProps) {
  return (
    <Fieldset legend="Events" disabled={disabled}>
      <Stack gap={10}>
        {BOXES.map(([name, meaning]) => (
          <Checkbox
            key={name}
            label={name}
            description={meaning}
            checked={events.includes(name)}
            onChange={({ currentTarget }) => {
              const others = events.filter((event) => event !== name);
              onChange(currentTarget.checked ? [...others, name] : others);
            }}
          />
        ))}
        {problem !== undefined && (
          <span role="alert" className={classes.problem}>
            {problem}
          </span>
        )}
      </Stack>
    </Fieldset>
  );
}
