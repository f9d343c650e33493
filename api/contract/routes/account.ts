// Routes of organizations, profile and token, teams, profiles of environments (service-facts §4.1).
import * as z from 'zod';
import {
  committedBody,
  newOrganizationBody,
  organizationBody,
  organizationRow,
  profileRow,
  record,
  teamBody,
  teamRow,
  userRow,
} from '../schemas';
import { area, collection, route } from '../route';

export const organizations = area('organizations', 'service-facts §4.1', {
  list: route('GET /account/organizations', 'Lists the organizations of the user', z.array(organizationRow), {
    documented: true,
  }),
  show: route('GET /account/organizations/{id}', "Reads an organization's row, by number or name", organizationRow),
  current: route(
    'GET /account/organizations/current_organization',
    'Reads the row of the organization the user was in last',
    organizationRow,
  ),
  create: route(
    'POST /account/organizations',
    'Creates an organization of which the user is an administrator',
    organizationRow,
    { body: newOrganizationBody },
  ),
  delete: route(
    'DELETE /account/organizations/{id}',
    'Deletes an organization in which nothing runs, with all it has',
    organizationRow.nullish(),
  ),
  leave: route(
    'DELETE /account/organizations/{id}/leave',
    'Takes the user out of an organization',
    organizationRow.nullish(),
  ),
  read: route('GET /{organization}/organization', "Reads an organization's record", record),
  update: route('PUT /{organization}/organization', "Changes an organization's record", record, {
    body: organizationBody,
  }),
});

export const profile = area('profile', 'service-facts §4.1', {
  read: route('GET /account/profile', 'Reads the user', profileRow),
  changeOrganization: route(
    'PUT /account/profile/change_organization',
    'Makes an organization the current one of the user',
    organizationRow,
    { body: z.looseObject({ org_id: z.union([z.string(), z.number()]) }) },
  ),
  token: route(
    'POST /account/profile/authentication_token',
    'Hands out the API token of a user who gives name and password',
    z.looseObject({ token: z.string() }),
    {
      body: z.looseObject({ user: z.looseObject({ username: z.string(), password: z.string() }) }),
      repeat: 'write',
      open: true,
    },
  ),
  resetToken: route(
    'PUT /account/profile/reset_authentication_token',
    'Makes every API token of the user invalid',
    z.unknown(),
    { repeat: 'action' },
  ),
});

export const teams = area('teams', 'service-facts §4.1', {
  ...collection('/{organization}/organization/teams', 'team', 'team', {
    summaries: { list: 'Lists the teams of an organization', read: 'Reads a team, by number or name' },
    body: teamBody,
    answer: teamRow,
  }),
  members: route(
    'GET /{organization}/organization/teams/{team}/members',
    'Lists the members of a team',
    z.array(userRow),
  ),
});

export const environmentProfiles = area('environmentProfiles', 'service-facts §4.1', {
  ...collection('/{organization}/organization/environments', 'profile', 'profile of environments', {
    summaries: { list: 'Lists the profiles environments may be made from' },
    body: committedBody,
  }),
});

export const service = area('service', 'service-facts §4.9', {
  status: route('GET /status/ecv', 'Reports that the service runs', z.unknown(), { open: true }),
  description: route(
    'GET /openapi.json',
    'This description: OpenAPI 3.1 of the API as this service speaks it',
    z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
    { source: 'ours', open: true },
  ),
});
