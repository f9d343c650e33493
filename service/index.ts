// The door of the embedded service.
export { type ServiceClock, fastClock, manualClock, type ManualClock, wallClock } from './runtime/clock';
export { type Catalogue, CatalogueError, loadCatalogue, type Pack, type PackTemplate, templates } from './catalogue';
export { AnswerDropped, type Fault, type Faults, FaultsError, readFaults } from './faults';
export type { JournalEntry } from './http/journal';
export { listen, type Listening, type ListenOptions } from './http/listen';
export { createService, type Service, type ServiceOptions, type UserOption } from './service';
export { OtherVersion, StorageFailure } from './store';
export type { Outage } from './transition/outages';
