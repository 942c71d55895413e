import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { dashboardApi, dataOf } from '../../api/client.js';
import { useRef, type ReactNode } from 'react';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { Advanced } from '../../components/advanced.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { useAllowance } from '../../components/use-allowance.js';
import { EventsPicker } from './events-picker.js';
import { FilterFields } from './filter-fields.js';
import { FILTER_NAMES, type WebhookForm } from './webhook-form.js';
import classes from './webhook-fields.module.css';

const PAYLOADS = [
  { value: 'full', label: 'Full: the complete resource' },
  { value: 'thin', label: 'Thin: ID, version and status only' },
];

interface WebhookFieldsProps {
  form: WebhookForm;
  onChange: (changes: Partial<WebhookForm>) => void;
  /** Failure of the request that sent the fields, to show problems next to them. */
  error: unknown;
  /** True for a read-only field. */
  disabled?: boolean;
  /** Further advanced fields. */
  children?: ReactNode;
}

/** The fields of a webhook, for creating and for editing. */
export function WebhookFields(props: WebhookFieldsProps) {
  const { form, onChange, error, disabled = false, children } = props;
  const problemOf = (field: string) =>
    error === null || error === undefined ? undefined : asFailure(error).problemOf(field);
  const problemBelow = (field: string) =>
    error === null || error === undefined ? undefined : asFailure(error).problemBelow(field);
  const search = useRef<HTMLInputElement>(null);
  const hasAdvancedValue =
    form.payload !== 'full' ||
    form.headers !== '' ||
    FILTER_NAMES.some((name) => form[name].length > 0);
  const hasAdvancedProblem = ['filter', 'headers', 'payload', 'secret'].some(
    (field) => problemBelow(field) !== undefined,
  );
  return (
    <Stack>
      <UrlField
        value={form.url}
        problem={problemOf('url')}
        disabled={disabled}
        onChange={(url) => {
          onChange({ url });
        }}
        onFilled={() => search.current?.focus()}
      />
      <EventsPicker
        ref={search}
        events={form.events}
        problem={problemOf('events') ?? problemOf('events[0]')}
        disabled={disabled}
        onChange={(events) => {
          onChange({ events });
        }}
      />
      <TextInput
        label="Description"
        description="What this webhook is for. Shown as its name."
        value={form.description}
        error={problemOf('description')}
        maxLength={500}
        disabled={disabled}
        onChange={({ currentTarget }) => {
          onChange({ description: currentTarget.value });
        }}
      />
      <Advanced
        contents={`Payload, filter, headers${children === undefined ? '' : ', secret'}`}
        isNeeded={hasAdvancedValue || hasAdvancedProblem}
      >
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
        {children}
      </Advanced>
    </Stack>
  );
}

interface UrlFieldProps {
  value: string;
  problem: string | undefined;
  disabled: boolean;
  onChange: (url: string) => void;
  /** Called when the field has the URL of a test receiver, to continue with the next field. */
  onFilled: () => void;
}

/** A field for the URL of a receiver, or of a test receiver of the service. */
function UrlField({ value, problem, disabled, onChange, onFilled }: UrlFieldProps) {
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
      onFilled();
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
      {receiver.data?.url === value && (
        <Text size="sm" c="dimmed" role="status">
          Test receiver ready. It works for one day and keeps the last 50 deliveries.
        </Text>
      )}
      {receiver.error && <FailureAlert error={receiver.error} />}
    </>
  );
}
