// The areas of the client and their methods. Written by sdk/generate from the routes of the contract (npm run generate): do not edit.
import type * as z from 'zod';
import type { routes } from '../contract';

type Routes = typeof routes;
type Body<R> = R extends { readonly body: infer B } ? z.input<B> : never;
type Answer<R> = R extends { readonly answer: infer A } ? Promise<z.output<A>> : never;

/** A path parameter: a name, or a record's number. */
type Name = string | number;

/** What every method takes after its path parameters and body. */
export interface CallOptions {
  /** Parameters of the query; one that the route does not know is refused. */
  readonly query?: { readonly [name: string]: string | number | boolean } | undefined;
  /** Ends the call, and its pauses, with Aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** One method per route, by area. */
export interface Areas {
  readonly environmentProfiles: {
    /** Lists the profiles environments may be made from. */
    list(options?: CallOptions): Answer<Routes['environmentProfiles']['list']>;
    /** Reads a profile of environments. */
    read(profile: Name, options?: CallOptions): Answer<Routes['environmentProfiles']['read']>;
    /** Creates a profile of environments. */
    create(body: Body<Routes['environmentProfiles']['create']>, options?: CallOptions): Answer<Routes['environmentProfiles']['create']>;
    /** Changes a profile of environments. */
    update(profile: Name, body: Body<Routes['environmentProfiles']['update']>, options?: CallOptions): Answer<Routes['environmentProfiles']['update']>;
    /** Deletes a profile of environments. */
    delete(profile: Name, options?: CallOptions): Answer<Routes['environmentProfiles']['delete']>;
  };
  readonly organizations: {
    /** Lists the organizations of the user. */
    list(options?: CallOptions): Answer<Routes['organizations']['list']>;
    /** Reads an organization's row, by number or name. */
    show(id: Name, options?: CallOptions): Answer<Routes['organizations']['show']>;
    /** Reads the row of the organization the user was in last. */
    current(options?: CallOptions): Answer<Routes['organizations']['current']>;
    /** Creates an organization of which the user is an administrator. */
    create(body: Body<Routes['organizations']['create']>, options?: CallOptions): Answer<Routes['organizations']['create']>;
    /** Deletes an organization in which nothing runs, with all it has. */
    delete(id: Name, options?: CallOptions): Answer<Routes['organizations']['delete']>;
    /** Takes the user out of an organization. */
    leave(id: Name, options?: CallOptions): Answer<Routes['organizations']['leave']>;
    /** Reads an organization's record. */
    read(options?: CallOptions): Answer<Routes['organizations']['read']>;
    /** Changes an organization's record. */
    update(body: Body<Routes['organizations']['update']>, options?: CallOptions): Answer<Routes['organizations']['update']>;
  };
  readonly profile: {
    /** Reads the user. */
    read(options?: CallOptions): Answer<Routes['profile']['read']>;
    /** Makes an organization the current one of the user. */
    changeOrganization(body: Body<Routes['profile']['changeOrganization']>, options?: CallOptions): Answer<Routes['profile']['changeOrganization']>;
    /** Hands out the API token of a user who gives name and password. */
    token(body: Body<Routes['profile']['token']>, options?: CallOptions): Answer<Routes['profile']['token']>;
    /** Makes every API token of the user invalid. Never sent twice. */
    resetToken(options?: CallOptions): Answer<Routes['profile']['resetToken']>;
  };
  readonly service: {
    /** Reports that the service runs. */
    status(options?: CallOptions): Answer<Routes['service']['status']>;
    /** This description: OpenAPI 3.1 of the API as this service speaks it. */
    description(options?: CallOptions): Answer<Routes['service']['description']>;
  };
  readonly teams: {
    /** Lists the teams of an organization. */
    list(options?: CallOptions): Answer<Routes['teams']['list']>;
    /** Reads a team, by number or name. */
    read(team: Name, options?: CallOptions): Answer<Routes['teams']['read']>;
    /** Creates a team. */
    create(body: Body<Routes['teams']['create']>, options?: CallOptions): Answer<Routes['teams']['create']>;
    /** Changes a team. */
    update(team: Name, body: Body<Routes['teams']['update']>, options?: CallOptions): Answer<Routes['teams']['update']>;
    /** Deletes a team. */
    delete(team: Name, options?: CallOptions): Answer<Routes['teams']['delete']>;
    /** Lists the members of a team. */
    members(team: Name, options?: CallOptions): Answer<Routes['teams']['members']>;
  };
  readonly cloudOfferings: {
    /** Lists the offerings of a service. */
    list(cloud: Name, service: Name, options?: CallOptions): Answer<Routes['cloudOfferings']['list']>;
    /** Reads an offering of a service. */
    read(cloud: Name, service: Name, offering: Name, options?: CallOptions): Answer<Routes['cloudOfferings']['read']>;
    /** Creates an offering of a service. */
    create(cloud: Name, service: Name, body: Body<Routes['cloudOfferings']['create']>, options?: CallOptions): Answer<Routes['cloudOfferings']['create']>;
    /** Changes an offering of a service. */
    update(cloud: Name, service: Name, offering: Name, body: Body<Routes['cloudOfferings']['update']>, options?: CallOptions): Answer<Routes['cloudOfferings']['update']>;
    /** Deletes an offering of a service. */
    delete(cloud: Name, service: Name, offering: Name, options?: CallOptions): Answer<Routes['cloudOfferings']['delete']>;
    /** Lists the offerings of the service's template. */
    available(cloud: Name, service: Name, options?: CallOptions): Answer<Routes['cloudOfferings']['available']>;
    /** Reads what a new offering begins with. Query: mgmtOfferingCiId. */
    template(cloud: Name, service: Name, options?: CallOptions): Answer<Routes['cloudOfferings']['template']>;
  };
  readonly cloudServices: {
    /** Lists the templates of services by service type. */
    available(cloud: Name, options?: CallOptions): Answer<Routes['cloudServices']['available']>;
    /** Lists the services of a cloud. */
    list(cloud: Name, options?: CallOptions): Answer<Routes['cloudServices']['list']>;
    /** Reads a service of a cloud. */
    read(cloud: Name, service: Name, options?: CallOptions): Answer<Routes['cloudServices']['read']>;
    /** Reads what a new service begins with, to be completed and posted. Query: mgmtCiId. */
    template(cloud: Name, service: Name, options?: CallOptions): Answer<Routes['cloudServices']['template']>;
    /** Adds a service to a cloud, with the offerings of its template. */
    create(cloud: Name, body: Body<Routes['cloudServices']['create']>, options?: CallOptions): Answer<Routes['cloudServices']['create']>;
    /** Changes a service of a cloud. */
    update(cloud: Name, service: Name, body: Body<Routes['cloudServices']['update']>, options?: CallOptions): Answer<Routes['cloudServices']['update']>;
    /** Deletes a service of a cloud with its offerings. */
    delete(cloud: Name, service: Name, options?: CallOptions): Answer<Routes['cloudServices']['delete']>;
    /** Compares the services of a cloud with their templates. Query: changes_only. */
    diff(cloud: Name, options?: CallOptions): Answer<Routes['cloudServices']['diff']>;
  };
  readonly cloudSupports: {
    /** Lists who supports a cloud and approves deployments to it. */
    list(cloud: Name, options?: CallOptions): Answer<Routes['cloudSupports']['list']>;
    /** Reads a support of a cloud. */
    read(cloud: Name, support: Name, options?: CallOptions): Answer<Routes['cloudSupports']['read']>;
    /** Creates a support of a cloud. */
    create(cloud: Name, body: Body<Routes['cloudSupports']['create']>, options?: CallOptions): Answer<Routes['cloudSupports']['create']>;
    /** Changes a support of a cloud. */
    update(cloud: Name, support: Name, body: Body<Routes['cloudSupports']['update']>, options?: CallOptions): Answer<Routes['cloudSupports']['update']>;
    /** Deletes a support of a cloud. */
    delete(cloud: Name, support: Name, options?: CallOptions): Answer<Routes['cloudSupports']['delete']>;
  };
  readonly cloudVariables: {
    /** Lists the variables of a cloud. */
    list(cloud: Name, options?: CallOptions): Answer<Routes['cloudVariables']['list']>;
    /** Reads a variable of a cloud. */
    read(cloud: Name, variable: Name, options?: CallOptions): Answer<Routes['cloudVariables']['read']>;
    /** Creates a variable of a cloud. */
    create(cloud: Name, body: Body<Routes['cloudVariables']['create']>, options?: CallOptions): Answer<Routes['cloudVariables']['create']>;
    /** Changes a variable of a cloud. */
    update(cloud: Name, variable: Name, body: Body<Routes['cloudVariables']['update']>, options?: CallOptions): Answer<Routes['cloudVariables']['update']>;
    /** Deletes a variable of a cloud. */
    delete(cloud: Name, variable: Name, options?: CallOptions): Answer<Routes['cloudVariables']['delete']>;
  };
  readonly cloudZones: {
    /** Lists the zones of a cloud. */
    list(cloud: Name, options?: CallOptions): Answer<Routes['cloudZones']['list']>;
  };
  readonly clouds: {
    /** Lists the clouds of an organization. */
    list(options?: CallOptions): Answer<Routes['clouds']['list']>;
    /** Reads what a new cloud begins with. */
    template(options?: CallOptions): Answer<Routes['clouds']['template']>;
    /** Reads a cloud. */
    read(cloud: Name, options?: CallOptions): Answer<Routes['clouds']['read']>;
    /** Deletes a cloud that no environment uses. */
    delete(cloud: Name, options?: CallOptions): Answer<Routes['clouds']['delete']>;
    /** Creates a cloud in a location. */
    create(body: Body<Routes['clouds']['create']>, options?: CallOptions): Answer<Routes['clouds']['create']>;
    /** Changes a cloud; its location stays. */
    update(cloud: Name, body: Body<Routes['clouds']['update']>, options?: CallOptions): Answer<Routes['clouds']['update']>;
    /** Lists the possible locations of clouds: name to path. */
    locations(options?: CallOptions): Answer<Routes['clouds']['locations']>;
    /** Lists the teams of a cloud. */
    teams(cloud: Name, options?: CallOptions): Answer<Routes['clouds']['teams']>;
    /** Changes the teams of a cloud. */
    updateTeams(cloud: Name, body: Body<Routes['clouds']['updateTeams']>, options?: CallOptions): Answer<Routes['clouds']['updateTeams']>;
    /** Lists the instances on a cloud. Query: instances_state. */
    instances(cloud: Name, options?: CallOptions): Answer<Routes['clouds']['instances']>;
    /** Lists the environments that use a cloud. */
    operations(cloud: Name, options?: CallOptions): Answer<Routes['clouds']['operations']>;
  };
  readonly reports: {
    /** Adds up the running machines by assembly, or by cloud. Query: grouping, cloud, assembly. */
    compute(options?: CallOptions): Answer<Routes['reports']['compute']>;
  };
  readonly catalogue: {
    /** Lists the public offerings by service type. Query: ns_path. */
    publicOfferings(options?: CallOptions): Answer<Routes['catalogue']['publicOfferings']>;
    /** Lists the public services by service type. Query: ns_path. */
    publicServices(options?: CallOptions): Answer<Routes['catalogue']['publicServices']>;
    /** Lists the offerings of an organization, or of one cloud, by service type. Query: ns_path. */
    offerings(options?: CallOptions): Answer<Routes['catalogue']['offerings']>;
    /** Lists the services of an organization, or of one cloud, by service type. Query: ns_path. */
    services(options?: CallOptions): Answer<Routes['catalogue']['services']>;
    /** Reads what a class or relation is made of. Query: class_name, relation_name. */
    metadata(options?: CallOptions): Answer<Routes['catalogue']['metadata']>;
    /** Lists the packs: source to name to versions. */
    packs(options?: CallOptions): Answer<Routes['catalogue']['packs']>;
    /** Lists a pack's templates of design components. */
    packComponents(source: Name, pack: Name, version: Name, platform: Name, options?: CallOptions): Answer<Routes['catalogue']['packComponents']>;
    /** Lists a pack's variables: what a new platform is born with. */
    packVariables(source: Name, pack: Name, version: Name, platform: Name, options?: CallOptions): Answer<Routes['catalogue']['packVariables']>;
    /** Lists a pack's templates of components in a mode, single or redundant. */
    packModeComponents(source: Name, pack: Name, version: Name, mode: Name, platform: Name, options?: CallOptions): Answer<Routes['catalogue']['packModeComponents']>;
  };
  readonly designs: {
    /** Lists the designs saved in the catalogue of an organization. */
    list(options?: CallOptions): Answer<Routes['designs']['list']>;
    /** Reads a saved design. */
    read(design: Name, options?: CallOptions): Answer<Routes['designs']['read']>;
    /** Deletes a saved design. */
    delete(design: Name, options?: CallOptions): Answer<Routes['designs']['delete']>;
    /** Reads a saved design as people write it. */
    export(design: Name, options?: CallOptions): Answer<Routes['designs']['export']>;
  };
  readonly lookups: {
    /** Finds a record by its number, wherever it is. */
    record(id: Name, options?: CallOptions): Answer<Routes['lookups']['record']>;
    /** Finds a relation by its number. */
    relation(id: Name, options?: CallOptions): Answer<Routes['lookups']['relation']>;
    /** Finds a release by its number. */
    release(id: Name, options?: CallOptions): Answer<Routes['lookups']['release']>;
    /** Finds a deployment by its number. */
    deployment(id: Name, options?: CallOptions): Answer<Routes['lookups']['deployment']>;
    /** Finds a procedure by its number. */
    procedure(id: Name, options?: CallOptions): Answer<Routes['lookups']['procedure']>;
  };
  readonly assemblies: {
    /** Lists the assemblies of an organization. */
    list(options?: CallOptions): Answer<Routes['assemblies']['list']>;
    /** Reads what a new assembly begins with. */
    template(options?: CallOptions): Answer<Routes['assemblies']['template']>;
    /** Reads an assembly. */
    read(assembly: Name, options?: CallOptions): Answer<Routes['assemblies']['read']>;
    /** Changes an assembly. */
    update(assembly: Name, body: Body<Routes['assemblies']['update']>, options?: CallOptions): Answer<Routes['assemblies']['update']>;
    /** Deletes an assembly in which nothing runs, with all it has. */
    delete(assembly: Name, options?: CallOptions): Answer<Routes['assemblies']['delete']>;
    /** Creates an assembly, empty or from a saved design. */
    create(body: Body<Routes['assemblies']['create']>, options?: CallOptions): Answer<Routes['assemblies']['create']>;
    /** Copies an assembly under another name, or saves its design into the catalogue. */
    clone(assembly: Name, body: Body<Routes['assemblies']['clone']>, options?: CallOptions): Answer<Routes['assemblies']['clone']>;
    /** Lists the teams of an assembly. */
    teams(assembly: Name, options?: CallOptions): Answer<Routes['assemblies']['teams']>;
    /** Changes the teams of an assembly. */
    updateTeams(assembly: Name, body: Body<Routes['assemblies']['updateTeams']>, options?: CallOptions): Answer<Routes['assemblies']['updateTeams']>;
    /** Lists the users who may read an assembly. */
    users(assembly: Name, options?: CallOptions): Answer<Routes['assemblies']['users']>;
  };
  readonly attachments: {
    /** Lists the attachments of a component. */
    list(assembly: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['attachments']['list']>;
    /** Reads what a new attachment of a component begins with. */
    template(assembly: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['attachments']['template']>;
    /** Reads an attachment of a component. */
    read(assembly: Name, platform: Name, component: Name, attachment: Name, options?: CallOptions): Answer<Routes['attachments']['read']>;
    /** Creates an attachment of a component. */
    create(assembly: Name, platform: Name, component: Name, body: Body<Routes['attachments']['create']>, options?: CallOptions): Answer<Routes['attachments']['create']>;
    /** Changes an attachment of a component. */
    update(assembly: Name, platform: Name, component: Name, attachment: Name, body: Body<Routes['attachments']['update']>, options?: CallOptions): Answer<Routes['attachments']['update']>;
    /** Deletes an attachment of a component. */
    delete(assembly: Name, platform: Name, component: Name, attachment: Name, options?: CallOptions): Answer<Routes['attachments']['delete']>;
    /** Reads an attachment without naming its component. */
    readInPlatform(assembly: Name, platform: Name, attachment: Name, options?: CallOptions): Answer<Routes['attachments']['readInPlatform']>;
    /** Changes an attachment without naming its component. */
    updateInPlatform(assembly: Name, platform: Name, attachment: Name, body: Body<Routes['attachments']['updateInPlatform']>, options?: CallOptions): Answer<Routes['attachments']['updateInPlatform']>;
    /** Deletes an attachment without naming its component. */
    deleteInPlatform(assembly: Name, platform: Name, attachment: Name, options?: CallOptions): Answer<Routes['attachments']['deleteInPlatform']>;
  };
  readonly components: {
    /** Lists the components of a platform. */
    list(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['components']['list']>;
    /** Reads what a new component of a template begins with. Query: template_name. */
    template(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['components']['template']>;
    /** Reads a component with what it depends on. Query: class_name. */
    read(assembly: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['components']['read']>;
    /** Creates a component from a template. */
    create(assembly: Name, platform: Name, body: Body<Routes['components']['create']>, options?: CallOptions): Answer<Routes['components']['create']>;
    /** Changes a component. */
    update(assembly: Name, platform: Name, component: Name, body: Body<Routes['components']['update']>, options?: CallOptions): Answer<Routes['components']['update']>;
    /** Deletes a component with its attachments. Query: class_name. */
    delete(assembly: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['components']['delete']>;
    /** Reads what services a component needs of its clouds. */
    services(assembly: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['components']['services']>;
    /** Changes what services a component needs of its clouds. */
    updateServices(assembly: Name, platform: Name, component: Name, body: Body<Routes['components']['updateServices']>, options?: CallOptions): Answer<Routes['components']['updateServices']>;
  };
  readonly design: {
    /** Reads a design as people write it. Query: platform_id, collapse. */
    extract(assembly: Name, options?: CallOptions): Answer<Routes['design']['extract']>;
    /** Reads a design as people write it, in YAML. Query: platform_id, collapse. */
    extractYaml(assembly: Name, options?: CallOptions): Answer<Routes['design']['extractYaml']>;
    /** Lays a design as people write it over the present one. Never sent twice. */
    load(assembly: Name, body: Body<Routes['design']['load']>, options?: CallOptions): Answer<Routes['design']['load']>;
  };
  readonly designReleases: {
    /** Lists the releases of a design that are no longer open, newest first. Query: size, offset, source. */
    list(assembly: Name, options?: CallOptions): Answer<Routes['designReleases']['list']>;
    /** Reads the newest release of a design, in any state. Query: include_rfcs. */
    latest(assembly: Name, options?: CallOptions): Answer<Routes['designReleases']['latest']>;
    /** Reads a release of a design. Query: include_rfcs. */
    read(assembly: Name, release: Name, options?: CallOptions): Answer<Routes['designReleases']['read']>;
    /** Commits an open release of a design; only its state shows a refusal. Never sent twice. */
    commit(assembly: Name, release: Name, body?: Body<Routes['designReleases']['commit']>, options?: CallOptions): Answer<Routes['designReleases']['commit']>;
    /** Discards an open release of a design; only its state shows a refusal. Never sent twice. */
    discard(assembly: Name, release: Name, options?: CallOptions): Answer<Routes['designReleases']['discard']>;
    /** Brings a design back to what it was after a release, as a new open release. Never sent twice. */
    restore(assembly: Name, release: Name, options?: CallOptions): Answer<Routes['designReleases']['restore']>;
  };
  readonly designVariables: {
    /** Lists the variables of a design. */
    list(assembly: Name, options?: CallOptions): Answer<Routes['designVariables']['list']>;
    /** Reads what a new variable of a design begins with. */
    template(assembly: Name, options?: CallOptions): Answer<Routes['designVariables']['template']>;
    /** Reads a variable of a design. */
    read(assembly: Name, variable: Name, options?: CallOptions): Answer<Routes['designVariables']['read']>;
    /** Creates a variable of a design. */
    create(assembly: Name, body: Body<Routes['designVariables']['create']>, options?: CallOptions): Answer<Routes['designVariables']['create']>;
    /** Changes a variable of a design. */
    update(assembly: Name, variable: Name, body: Body<Routes['designVariables']['update']>, options?: CallOptions): Answer<Routes['designVariables']['update']>;
    /** Deletes a variable of a design. */
    delete(assembly: Name, variable: Name, options?: CallOptions): Answer<Routes['designVariables']['delete']>;
    /** Locks variables of a design against its packs. */
    lock(assembly: Name, body: Body<Routes['designVariables']['lock']>, options?: CallOptions): Answer<Routes['designVariables']['lock']>;
    /** Unlocks variables of a design. */
    unlock(assembly: Name, body: Body<Routes['designVariables']['unlock']>, options?: CallOptions): Answer<Routes['designVariables']['unlock']>;
  };
  readonly monitors: {
    /** Lists the monitors of a component. */
    list(assembly: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['monitors']['list']>;
    /** Reads what a new monitor of a component begins with. */
    template(assembly: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['monitors']['template']>;
    /** Reads a monitor of a component. */
    read(assembly: Name, platform: Name, component: Name, monitor: Name, options?: CallOptions): Answer<Routes['monitors']['read']>;
    /** Creates a monitor of a component. */
    create(assembly: Name, platform: Name, component: Name, body: Body<Routes['monitors']['create']>, options?: CallOptions): Answer<Routes['monitors']['create']>;
    /** Changes a monitor of a component. */
    update(assembly: Name, platform: Name, component: Name, monitor: Name, body: Body<Routes['monitors']['update']>, options?: CallOptions): Answer<Routes['monitors']['update']>;
    /** Deletes a monitor of a component. */
    delete(assembly: Name, platform: Name, component: Name, monitor: Name, options?: CallOptions): Answer<Routes['monitors']['delete']>;
    /** Turns a monitor on or off. Never sent twice. */
    toggle(assembly: Name, platform: Name, component: Name, monitor: Name, options?: CallOptions): Answer<Routes['monitors']['toggle']>;
  };
  readonly platformVariables: {
    /** Lists the variables of a platform. */
    list(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platformVariables']['list']>;
    /** Reads what a new variable of a platform begins with. */
    template(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platformVariables']['template']>;
    /** Reads a variable of a platform. */
    read(assembly: Name, platform: Name, variable: Name, options?: CallOptions): Answer<Routes['platformVariables']['read']>;
    /** Creates a variable of a platform. */
    create(assembly: Name, platform: Name, body: Body<Routes['platformVariables']['create']>, options?: CallOptions): Answer<Routes['platformVariables']['create']>;
    /** Deletes a variable of a platform. */
    delete(assembly: Name, platform: Name, variable: Name, options?: CallOptions): Answer<Routes['platformVariables']['delete']>;
    /** Changes a variable of a platform. */
    update(assembly: Name, platform: Name, variable: Name, body: Body<Routes['platformVariables']['update']>, options?: CallOptions): Answer<Routes['platformVariables']['update']>;
    /** Locks variables of a platform against its pack. */
    lock(assembly: Name, platform: Name, body: Body<Routes['platformVariables']['lock']>, options?: CallOptions): Answer<Routes['platformVariables']['lock']>;
    /** Unlocks variables of a platform. */
    unlock(assembly: Name, platform: Name, body: Body<Routes['platformVariables']['unlock']>, options?: CallOptions): Answer<Routes['platformVariables']['unlock']>;
  };
  readonly platforms: {
    /** Lists the platforms of a design. */
    list(assembly: Name, options?: CallOptions): Answer<Routes['platforms']['list']>;
    /** Reads a platform with the names it links to. */
    read(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platforms']['read']>;
    /** Reads what a new platform begins with. */
    template(assembly: Name, options?: CallOptions): Answer<Routes['platforms']['template']>;
    /** Creates a platform with the components its pack requires. */
    create(assembly: Name, body: Body<Routes['platforms']['create']>, options?: CallOptions): Answer<Routes['platforms']['create']>;
    /** Changes a platform; links that are not sent again are dropped. */
    update(assembly: Name, platform: Name, body: Body<Routes['platforms']['update']>, options?: CallOptions): Answer<Routes['platforms']['update']>;
    /** Deletes a platform with all it has. */
    delete(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platforms']['delete']>;
    /** Copies a platform into this or another assembly. */
    clone(assembly: Name, platform: Name, body: Body<Routes['platforms']['clone']>, options?: CallOptions): Answer<Routes['platforms']['clone']>;
    /** Shows how many components of each template there are and may be. */
    componentTypes(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platforms']['componentTypes']>;
    /** Lists a platform's records, each with what its pack gives it, or what is committed. Query: committed, changes_only. */
    diff(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platforms']['diff']>;
    /** Commits the open changes of one platform. Never sent twice. */
    commit(assembly: Name, platform: Name, body?: Body<Routes['platforms']['commit']>, options?: CallOptions): Answer<Routes['platforms']['commit']>;
    /** Discards the open changes of one platform. Never sent twice. */
    discard(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platforms']['discard']>;
    /** Brings a platform to the present content of its pack version. */
    packRefresh(assembly: Name, platform: Name, options?: CallOptions): Answer<Routes['platforms']['packRefresh']>;
    /** Brings a platform to another version of its pack. */
    packUpdate(assembly: Name, platform: Name, body: Body<Routes['platforms']['packUpdate']>, options?: CallOptions): Answer<Routes['platforms']['packUpdate']>;
  };
  readonly deployments: {
    /** Lists the deployments of an environment. */
    list(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['deployments']['list']>;
    /** Reads the newest deployment of an environment. */
    latest(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['deployments']['latest']>;
    /** Deploys a bom release, or, without one in the body, plans and deploys what is committed. Never sent twice. */
    create(assembly: Name, environment: Name, body: Body<Routes['deployments']['create']>, options?: CallOptions): Answer<Routes['deployments']['create']>;
    /** Plans and deploys what is committed, in the background: the same address, without a release in the body. Never sent twice. */
    createFromCommitted(assembly: Name, environment: Name, body: Body<Routes['deployments']['createFromCommitted']>, options?: CallOptions): Answer<Routes['deployments']['createFromCommitted']>;
    /** Plans a deployment without storing the plan. Query: exclude_platforms. */
    preview(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['deployments']['preview']>;
    /** Plans a deployment without storing the plan; may commit the manifest before. Never sent twice. */
    plan(assembly: Name, environment: Name, body?: Body<Routes['deployments']['plan']>, options?: CallOptions): Answer<Routes['deployments']['plan']>;
    /** Reads a deployment; in classic its changes. */
    read(assembly: Name, environment: Name, deployment: Name, options?: CallOptions): Answer<Routes['deployments']['read']>;
    /** Reads a deployment with the state of each of its work orders. */
    status(assembly: Name, environment: Name, deployment: Name, options?: CallOptions): Answer<Routes['deployments']['status']>;
    /** Reads a deployment with its moves and approvals. */
    edit(assembly: Name, environment: Name, deployment: Name, options?: CallOptions): Answer<Routes['deployments']['edit']>;
    /** Pauses, resumes, retries or cancels a deployment. Never sent twice. */
    update(assembly: Name, environment: Name, deployment: Name, body: Body<Routes['deployments']['update']>, options?: CallOptions): Answer<Routes['deployments']['update']>;
    /** Reads what was logged of a work order. Query: rfcId. */
    logData(assembly: Name, environment: Name, deployment: Name, options?: CallOptions): Answer<Routes['deployments']['logData']>;
    /** Lists the approvals a deployment waits for, or had. */
    approvals(assembly: Name, environment: Name, deployment: Name, options?: CallOptions): Answer<Routes['deployments']['approvals']>;
    /** Approves or rejects a deployment for the clouds it goes to. Never sent twice. */
    settle(assembly: Name, environment: Name, deployment: Name, body: Body<Routes['deployments']['settle']>, options?: CallOptions): Answer<Routes['deployments']['settle']>;
  };
  readonly environmentAttachments: {
    /** Lists the attachments of a component of an environment. */
    list(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['environmentAttachments']['list']>;
    /** Reads an attachment of a component of an environment. */
    read(assembly: Name, environment: Name, platform: Name, component: Name, attachment: Name, options?: CallOptions): Answer<Routes['environmentAttachments']['read']>;
    /** Changes an attachment in one environment. */
    update(assembly: Name, environment: Name, platform: Name, component: Name, attachment: Name, body: Body<Routes['environmentAttachments']['update']>, options?: CallOptions): Answer<Routes['environmentAttachments']['update']>;
    /** Reads an attachment of an environment without naming its component. */
    readInPlatform(assembly: Name, environment: Name, platform: Name, attachment: Name, options?: CallOptions): Answer<Routes['environmentAttachments']['readInPlatform']>;
    /** Changes an attachment in one environment without naming its component. */
    updateInPlatform(assembly: Name, environment: Name, platform: Name, attachment: Name, body: Body<Routes['environmentAttachments']['updateInPlatform']>, options?: CallOptions): Answer<Routes['environmentAttachments']['updateInPlatform']>;
  };
  readonly environmentMonitors: {
    /** Lists the monitors of a component of an environment. */
    list(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['environmentMonitors']['list']>;
    /** Reads a monitor of a component of an environment. */
    read(assembly: Name, environment: Name, platform: Name, component: Name, monitor: Name, options?: CallOptions): Answer<Routes['environmentMonitors']['read']>;
    /** Changes a monitor of a component of an environment. */
    update(assembly: Name, environment: Name, platform: Name, component: Name, monitor: Name, body: Body<Routes['environmentMonitors']['update']>, options?: CallOptions): Answer<Routes['environmentMonitors']['update']>;
  };
  readonly environmentPlatformVariables: {
    /** Lists the variables of a platform of an environment. */
    list(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['environmentPlatformVariables']['list']>;
    /** Reads a variable of a platform of an environment. */
    read(assembly: Name, environment: Name, platform: Name, variable: Name, options?: CallOptions): Answer<Routes['environmentPlatformVariables']['read']>;
    /** Changes a platform's variable in one environment. */
    update(assembly: Name, environment: Name, platform: Name, variable: Name, body: Body<Routes['environmentPlatformVariables']['update']>, options?: CallOptions): Answer<Routes['environmentPlatformVariables']['update']>;
    /** Locks a platform's variables against the next pull. */
    lock(assembly: Name, environment: Name, platform: Name, body: Body<Routes['environmentPlatformVariables']['lock']>, options?: CallOptions): Answer<Routes['environmentPlatformVariables']['lock']>;
    /** Unlocks a platform's variables. */
    unlock(assembly: Name, environment: Name, platform: Name, body: Body<Routes['environmentPlatformVariables']['unlock']>, options?: CallOptions): Answer<Routes['environmentPlatformVariables']['unlock']>;
  };
  readonly environmentPlatforms: {
    /** Lists the platforms of an environment. */
    list(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['list']>;
    /** Reads a platform of an environment with its links and clouds. */
    read(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['read']>;
    /** Reads a platform of an environment with the relations that can be scaled. */
    edit(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['edit']>;
    /** Changes a platform of an environment and how it is scaled. */
    update(assembly: Name, environment: Name, platform: Name, body: Body<Routes['environmentPlatforms']['update']>, options?: CallOptions): Answer<Routes['environmentPlatforms']['update']>;
    /** Deletes a version of a platform that is not the active one. */
    delete(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['delete']>;
    /** Changes how a platform uses one of its clouds. */
    configureCloud(assembly: Name, environment: Name, platform: Name, body: Body<Routes['environmentPlatforms']['configureCloud']>, options?: CallOptions): Answer<Routes['environmentPlatforms']['configureCloud']>;
    /** Changes the priority of one cloud of a platform. */
    cloudPriority(assembly: Name, environment: Name, platform: Name, body: Body<Routes['environmentPlatforms']['cloudPriority']>, options?: CallOptions): Answer<Routes['environmentPlatforms']['cloudPriority']>;
    /** Enables a platform, or disables it: a GET that writes. Never sent twice. */
    toggle(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['toggle']>;
    /** Makes a version of a platform the active one: a GET that writes. */
    activate(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['activate']>;
    /** Lists the components of a platform of an environment. */
    components(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['components']>;
    /** Reads a component of an environment with what it depends on. Query: class_name. */
    component(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['component']>;
    /** Changes a component of an environment. Query: class_name. */
    updateComponent(assembly: Name, environment: Name, platform: Name, component: Name, body: Body<Routes['environmentPlatforms']['updateComponent']>, options?: CallOptions): Answer<Routes['environmentPlatforms']['updateComponent']>;
    /** Has a component deployed again although nothing changed. */
    touchComponent(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['touchComponent']>;
    /** Has several components deployed again although nothing changed. */
    touchComponents(assembly: Name, environment: Name, platform: Name, body: Body<Routes['environmentPlatforms']['touchComponents']>, options?: CallOptions): Answer<Routes['environmentPlatforms']['touchComponents']>;
    /** Deploys a component again immediately, if deployment is continuous. Never sent twice. */
    deployComponent(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['deployComponent']>;
    /** Lists the dependencies of a component. */
    dependsOn(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['environmentPlatforms']['dependsOn']>;
    /** Changes the dependencies of a component. */
    updateDependsOn(assembly: Name, environment: Name, platform: Name, component: Name, body: Body<Routes['environmentPlatforms']['updateDependsOn']>, options?: CallOptions): Answer<Routes['environmentPlatforms']['updateDependsOn']>;
  };
  readonly environmentReleases: {
    /** Lists the manifest and bom releases of an environment that are no longer open, newest first. Query: size, offset. */
    list(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environmentReleases']['list']>;
    /** Reads the release to deploy. Query: latest, include_rfcs. */
    bom(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environmentReleases']['bom']>;
    /** Reads the newest release: of the manifest in classic, else as bom does. Query: latest, include_rfcs. */
    latest(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environmentReleases']['latest']>;
    /** Reads a release of an environment. Query: include_rfcs. */
    read(assembly: Name, environment: Name, release: Name, options?: CallOptions): Answer<Routes['environmentReleases']['read']>;
    /** Discards an open release of an environment. Never sent twice. */
    discard(assembly: Name, environment: Name, release: Name, options?: CallOptions): Answer<Routes['environmentReleases']['discard']>;
    /** Brings a manifest back to what it was after a release, as a new open release. Never sent twice. */
    restore(assembly: Name, environment: Name, release: Name, options?: CallOptions): Answer<Routes['environmentReleases']['restore']>;
  };
  readonly environmentVariables: {
    /** Lists the variables of an environment. */
    list(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environmentVariables']['list']>;
    /** Reads a variable of an environment. */
    read(assembly: Name, environment: Name, variable: Name, options?: CallOptions): Answer<Routes['environmentVariables']['read']>;
    /** Changes a variable in one environment. */
    update(assembly: Name, environment: Name, variable: Name, body: Body<Routes['environmentVariables']['update']>, options?: CallOptions): Answer<Routes['environmentVariables']['update']>;
    /** Locks variables of an environment against the next pull. */
    lock(assembly: Name, environment: Name, body: Body<Routes['environmentVariables']['lock']>, options?: CallOptions): Answer<Routes['environmentVariables']['lock']>;
    /** Unlocks variables of an environment. */
    unlock(assembly: Name, environment: Name, body: Body<Routes['environmentVariables']['unlock']>, options?: CallOptions): Answer<Routes['environmentVariables']['unlock']>;
  };
  readonly environments: {
    /** Lists the environments of an assembly. */
    list(assembly: Name, options?: CallOptions): Answer<Routes['environments']['list']>;
    /** Reads what a new environment begins with, from a profile or not. Query: profile_id. */
    template(assembly: Name, options?: CallOptions): Answer<Routes['environments']['template']>;
    /** Reads an environment with its clouds. */
    read(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environments']['read']>;
    /** Creates an environment and pulls the design into it. */
    create(assembly: Name, environment: Name, body: Body<Routes['environments']['create']>, options?: CallOptions): Answer<Routes['environments']['create']>;
    /** Changes an environment and the set of its clouds. */
    update(assembly: Name, environment: Name, body: Body<Routes['environments']['update']>, options?: CallOptions): Answer<Routes['environments']['update']>;
    /** Deletes an environment in which nothing runs. */
    delete(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environments']['delete']>;
    /** Pulls the committed design into an environment. Never sent twice. */
    pull(assembly: Name, environment: Name, body?: Body<Routes['environments']['pull']>, options?: CallOptions): Answer<Routes['environments']['pull']>;
    /** Reads an environment while a pull runs. */
    pullStatus(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environments']['pullStatus']>;
    /** Commits the manifest and builds the plan of a deployment, in the background. Never sent twice. */
    commit(assembly: Name, environment: Name, body?: Body<Routes['environments']['commit']>, options?: CallOptions): Answer<Routes['environments']['commit']>;
    /** Builds the plan of a deployment from what is committed, in the background. Never sent twice. */
    forceDeploy(assembly: Name, environment: Name, body?: Body<Routes['environments']['forceDeploy']>, options?: CallOptions): Answer<Routes['environments']['forceDeploy']>;
    /** Discards the open manifest release. Never sent twice. */
    discard(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environments']['discard']>;
    /** Disables platforms: the next deployment deletes their instances. */
    disable(assembly: Name, environment: Name, body?: Body<Routes['environments']['disable']>, options?: CallOptions): Answer<Routes['environments']['disable']>;
    /** Enables platforms again. */
    enable(assembly: Name, environment: Name, body?: Body<Routes['environments']['enable']>, options?: CallOptions): Answer<Routes['environments']['enable']>;
    /** Reads what was set in an environment itself, as people write it. */
    extract(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environments']['extract']>;
    /** Reads what was set in an environment itself, in YAML. */
    extractYaml(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environments']['extractYaml']>;
    /** Lays what people write over the manifest of an environment. Never sent twice. */
    load(assembly: Name, environment: Name, body: Body<Routes['environments']['load']>, options?: CallOptions): Answer<Routes['environments']['load']>;
    /** Lists the releases and deployments of an environment, newest first. Query: size, offset. */
    timeline(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['environments']['timeline']>;
  };
  readonly relays: {
    /** Lists the mail relays of an environment. */
    list(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['relays']['list']>;
    /** Reads what a new mail relay begins with. */
    template(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['relays']['template']>;
    /** Reads a mail relay. */
    read(assembly: Name, environment: Name, relay: Name, options?: CallOptions): Answer<Routes['relays']['read']>;
    /** Creates a mail relay. */
    create(assembly: Name, environment: Name, body: Body<Routes['relays']['create']>, options?: CallOptions): Answer<Routes['relays']['create']>;
    /** Changes a mail relay. */
    update(assembly: Name, environment: Name, relay: Name, body: Body<Routes['relays']['update']>, options?: CallOptions): Answer<Routes['relays']['update']>;
    /** Deletes a mail relay. */
    delete(assembly: Name, environment: Name, relay: Name, options?: CallOptions): Answer<Routes['relays']['delete']>;
    /** Turns a mail relay on or off. Never sent twice. */
    toggle(assembly: Name, environment: Name, relay: Name, options?: CallOptions): Answer<Routes['relays']['toggle']>;
  };
  readonly operations: {
    /** Counts the instances of an organization by state, in all and by environment. */
    health(options?: CallOptions): Answer<Routes['operations']['health']>;
    /** Lists the environments of an assembly. */
    environments(assembly: Name, options?: CallOptions): Answer<Routes['operations']['environments']>;
    /** Reads an environment. */
    environment(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['operations']['environment']>;
    /** Lists the platforms of an environment. */
    platforms(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['operations']['platforms']>;
    /** Reads a platform with its links and clouds. */
    platform(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['operations']['platform']>;
    /** Lists the components of a platform. */
    components(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['operations']['components']>;
    /** Reads a component; procedures are anchored at its number. Query: class_name. */
    component(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['operations']['component']>;
    /** Lists what can be run on a component's instances. */
    actions(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['operations']['actions']>;
    /** Lists the instances of a component. Query: instances_state. */
    instances(assembly: Name, environment: Name, platform: Name, component: Name, options?: CallOptions): Answer<Routes['operations']['instances']>;
    /** Lists the machines of a platform. Query: instances_state. */
    computes(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['operations']['computes']>;
    /** Lists the instances of a platform. Query: instances_state. */
    platformInstances(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['operations']['platformInstances']>;
    /** Lists the instances of an environment. Query: instances_state. */
    environmentInstances(assembly: Name, environment: Name, options?: CallOptions): Answer<Routes['operations']['environmentInstances']>;
    /** Lists the instances of an assembly. Query: instances_state. */
    assemblyInstances(assembly: Name, options?: CallOptions): Answer<Routes['operations']['assemblyInstances']>;
    /** Reads an instance with what it depends on. */
    instance(assembly: Name, environment: Name, platform: Name, component: Name, instance: Name, options?: CallOptions): Answer<Routes['operations']['instance']>;
    /** Removes the record of an instance; what it represents keeps running. */
    deleteInstance(assembly: Name, environment: Name, platform: Name, component: Name, instance: Name, options?: CallOptions): Answer<Routes['operations']['deleteInstance']>;
    /** Marks an instance, for example to be replaced by the next deployment. Never sent twice. */
    setInstanceState(assembly: Name, environment: Name, platform: Name, component: Name, instance: Name, body: Body<Routes['operations']['setInstanceState']>, options?: CallOptions): Answer<Routes['operations']['setInstanceState']>;
    /** Marks an instance of an assembly. Never sent twice. */
    setAssemblyInstanceState(assembly: Name, instance: Name, body: Body<Routes['operations']['setAssemblyInstanceState']>, options?: CallOptions): Answer<Routes['operations']['setAssemblyInstanceState']>;
    /** Marks several instances of an assembly. Never sent twice. */
    setAssemblyInstancesState(assembly: Name, body: Body<Routes['operations']['setAssemblyInstancesState']>, options?: CallOptions): Answer<Routes['operations']['setAssemblyInstancesState']>;
    /** Marks several instances of an organization. Never sent twice. */
    setInstancesState(body: Body<Routes['operations']['setInstancesState']>, options?: CallOptions): Answer<Routes['operations']['setInstancesState']>;
    /** Cancels the work order that is in progress on an instance. Never sent twice. */
    cancelDeployment(assembly: Name, environment: Name, platform: Name, component: Name, instance: Name, options?: CallOptions): Answer<Routes['operations']['cancelDeployment']>;
    /** Turns the repair of unhealthy instances on or off. */
    autorepair(assembly: Name, environment: Name, platform: Name, body: Body<Routes['operations']['autorepair']>, options?: CallOptions): Answer<Routes['operations']['autorepair']>;
    /** Turns the replacement of instances that stay unhealthy on or off, and says when. */
    autoreplace(assembly: Name, environment: Name, platform: Name, body: Body<Routes['operations']['autoreplace']>, options?: CallOptions): Answer<Routes['operations']['autoreplace']>;
    /** Turns scaling by load on or off. */
    autoscale(assembly: Name, environment: Name, platform: Name, body: Body<Routes['operations']['autoscale']>, options?: CallOptions): Answer<Routes['operations']['autoscale']>;
    /** Turns compliance on or off. */
    autocomply(assembly: Name, environment: Name, platform: Name, body: Body<Routes['operations']['autocomply']>, options?: CallOptions): Answer<Routes['operations']['autocomply']>;
    /** Lists the procedures of a platform's pack. */
    procedures(assembly: Name, environment: Name, platform: Name, options?: CallOptions): Answer<Routes['operations']['procedures']>;
  };
  readonly procedures: {
    /** Starts a procedure on instances. Never sent twice. */
    create(body: Body<Routes['procedures']['create']>, options?: CallOptions): Answer<Routes['procedures']['create']>;
    /** Reads a procedure with its actions. */
    read(procedure: Name, options?: CallOptions): Answer<Routes['procedures']['read']>;
    /** Reads a procedure with what was logged of its actions. */
    status(procedure: Name, options?: CallOptions): Answer<Routes['procedures']['status']>;
    /** Reads what was logged of the actions of a procedure. Query: procedure_id. */
    logData(procedure: Name, options?: CallOptions): Answer<Routes['procedures']['logData']>;
    /** Reads what was logged of some actions of a procedure. Query: procedure_id, action_ids. */
    actionLogs(options?: CallOptions): Answer<Routes['procedures']['actionLogs']>;
    /** Lists procedures, newest first. Query: ciId, actionCiId, ns_path, state, name, size, include_actions. */
    list(options?: CallOptions): Answer<Routes['procedures']['list']>;
    /** Starts, retries or cancels a procedure. Never sent twice. */
    update(procedure: Name, body: Body<Routes['procedures']['update']>, options?: CallOptions): Answer<Routes['procedures']['update']>;
  };
}
