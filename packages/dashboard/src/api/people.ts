import type { components } from './dashboard-schema.js';

type Schemas = components['schemas'];

/** Loads the signed-in person, their accounts, and what people without an account may do. */
export type SessionState = Schemas['SessionState'];
export type SessionUser = Schemas['SignedInUser'];
export type AccountMembership = Schemas['AccountOfUser'];
export type Role = AccountMembership['role'];
export type SessionItem = Schemas['Session'];
export type LinkPreview = Schemas['Link'];
export type AccountDetails = Schemas['Account'];
export type PlanRow = Schemas['Plan'];
export type Plan = PlanRow['plan'];
export type Member = Schemas['Member'];
export type Invitation = Schemas['Invitation'];
export type FirstSteps = Schemas['FirstSteps'];
export type Receiver = Schemas['Receiver'];
export type ReceivedDelivery = Schemas['ReceivedDelivery'];
