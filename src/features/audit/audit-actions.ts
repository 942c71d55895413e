/** Audited actions, named `<resource>.<verb>`. A name is never reused for another action. */
export const AUDIT_ACTIONS = [
  'document.create',
  'document.update',
  'document.delete',
  'document.restore',
  'document.publish',
  'document.unpublish',
  'document.purge',
  'document.import',
  'enhancement.propose',
  'enhancement.withdraw',
  'enhancement.reject',
  'collection.create',
  'collection.update',
  'collection.delete',
  'collection.access',
  'release.create',
  'release.update',
  'release.cancel',
  'release.delete',
  'release.publish',
  'release.fail',
  'template.create',
  'template.update',
  'template.delete',
  'webhook.create',
  'webhook.update',
  'webhook.delete',
  'webhook.test',
  'webhook.rotate_secret',
  'webhook.redeliver',
  'webhook.recover',
  'key.create',
  'key.update',
  'key.rotate',
  'key.revoke',
  'key.create_token',
  'account.update',
  'account.export',
  'account.import',
  'account.delete',
  'user.join',
  'user.rename',
  'user.update_role',
  'user.leave',
  'user.remove',
  'invitation.create',
  'invitation.renew',
  'invitation.revoke',
  'user.sign_in',
  'user.sign_out',
  'user.end_sessions',
  'user.change_password',
  'user.enable_two_factor',
  'user.disable_two_factor',
  'user.renew_recovery_codes',
  'user.verify_email',
  'user.set_apart',
  'job.cancel',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The resource type of an entry: the first part of its action, which is also the kind of the resource's ID. */
export type AuditResource = ResourceOf<AuditAction>;
type ResourceOf<Action> = Action extends `${infer Resource}.${string}` ? Resource : never;

/** Returns the kind of resource that an action affects. */
export function resourceOf(action: AuditAction): AuditResource {
  return action.slice(0, action.indexOf('.')) as AuditResource;
}

export const AUDIT_RESOURCES: readonly AuditResource[] = [
  ...new Set(AUDIT_ACTIONS.map(resourceOf)),
];
