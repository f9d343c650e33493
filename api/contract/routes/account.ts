// Routes of the account: organizations, profile and token, teams, profiles of environments, status (service-facts §4.1).
import { z } from 'zod';
import { committedBody, newOrganizationBody, organizationBody, teamBody } from '../body';
import { organizationRow, profileRow, record, teamRow, userRow } from '../record';
import { route } from '../route';
import { collection } from '../collection';

export const organizations = {
  /** Lists the organizations of the user. */
  list: route('organizations.list', 'GET /account/organizations', {
    summary: 'Lists the organizations of the user',
    answer: z.array(organizationRow),
    source: 'service-facts §4.1',
    documented: true,
  }),
  /** Reads an organization's row, by number or name. */
  show: route('organizations.show', 'GET /account/organizations/{id}', {
    summary: "Reads an organization's row, by number or name",
    answer: organizationRow,
    source: 'service-facts §4.1',
  }),
  /** Reads the row of the organization the user was in last. */
  current: route('organizations.current', 'GET /account/organizations/current_organization', {
    summary: 'Reads the row of the organization the user was in last',
    answer: organizationRow,
    source: 'service-facts §4.1',
  }),
  /** Creates an organization of which the user is an administrator. */
  create: route('organizations.create', 'POST /account/organizations', {
    summary: 'Creates an organization of which the user is an administrator',
    body: newOrganizationBody,
    answer: organizationRow,
    source: 'service-facts §4.1',
  }),
  /** Deletes an organization in which nothing runs, with all it has. */
  delete: route('organizations.delete', 'DELETE /account/organizations/{id}', {
    summary: 'Deletes an organization in which nothing runs, with all it has',
    answer: organizationRow.nullish(),
    source: 'service-facts §4.1',
  }),
  /** Takes the user out of an organization. */
  leave: route('organizations.leave', 'DELETE /account/organizations/{id}/leave', {
    summary: 'Takes the user out of an organization',
    answer: organizationRow.nullish(),
    source: 'service-facts §4.1',
  }),
  /** Reads an organization's record. */
  read: route('organizations.read', 'GET /{organization}/organization', {
    summary: "Reads an organization's record",
    answer: record,
    source: 'service-facts §4.1',
  }),
  /** Changes an organization's record. */
  update: route('organizations.update', 'PUT /{organization}/organization', {
    summary: "Changes an organization's record",
    body: organizationBody,
    answer: record,
    source: 'service-facts §4.1',
  }),
};

export const profile = {
  /** Reads the user. */
  read: route('profile.read', 'GET /account/profile', {
    summary: 'Reads the user',
    answer: profileRow,
    source: 'service-facts §4.1',
  }),
  /** Makes an organization the current one of the user. */
  changeOrganization: route('profile.changeOrganization', 'PUT /account/profile/change_organization', {
    summary: 'Makes an organization the current one of the user',
    body: z.looseObject({ org_id: z.union([z.string(), z.number()]) }),
    answer: organizationRow,
    source: 'service-facts §4.1',
  }),
  /** Hands out the API token of a user who gives name and password. */
  token: route('profile.token', 'POST /account/profile/authentication_token', {
    summary: 'Hands out the API token of a user who gives name and password',
    body: z.looseObject({ user: z.looseObject({ username: z.string(), password: z.string() }) }),
    answer: z.looseObject({ token: z.string() }),
    source: 'service-facts §4.1',
    repeat: 'write',
    open: true,
  }),
  /** Makes every API token of the user invalid. Never sent twice. */
  resetToken: route('profile.resetToken', 'PUT /account/profile/reset_authentication_token', {
    summary: 'Makes every API token of the user invalid',
    answer: z.unknown(),
    source: 'service-facts §4.1',
    repeat: 'action',
  }),
};

export const teams = {
  ...collection('teams', '/{organization}/organization/teams', 'team', {
    verbs: ['list', 'read', 'create', 'update', 'delete'],
    noun: 'team',
    summaries: { list: 'Lists the teams of an organization', read: 'Reads a team, by number or name' },
    body: teamBody,
    answer: teamRow,
    source: 'service-facts §4.1',
  }),
  /** Lists the members of a team. */
  members: route('teams.members', 'GET /{organization}/organization/teams/{team}/members', {
    summary: 'Lists the members of a team',
    answer: z.array(userRow),
    source: 'service-facts §4.1',
  }),
};

export const environmentProfiles = collection(
  'environmentProfiles',
  '/{organization}/organization/environments',
  'profile',
  {
    verbs: ['list', 'read', 'create', 'update', 'delete'],
    noun: 'profile of environments',
    summaries: { list: 'Lists the profiles environments may be made from' },
    body: committedBody,
    source: 'service-facts §4.1',
  },
);

export const service = {
  /** Reports that the service runs. */
  status: route('service.status', 'GET /status/ecv', {
    summary: 'Reports that the service runs',
    answer: z.unknown(),
    source: 'service-facts §4.9',
    open: true,
  }),
  /** This description: OpenAPI 3.1 of the API as this service speaks it. */
  description: route('service.description', 'GET /openapi.json', {
    summary: 'This description: OpenAPI 3.1 of the API as this service speaks it',
    answer: z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
    source: 'ours',
    open: true,
  }),
};
