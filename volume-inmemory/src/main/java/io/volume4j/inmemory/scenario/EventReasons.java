package io.volume4j.inmemory.scenario;

import java.util.List;

/** The reasons of the events that the library sends, in the order of {@code docs/events.md}. */
final class EventReasons {
    static final List<String> ALL = List.of(
            "FailedBinding",
            "WaitForFirstConsumer",
            "WaitForPodScheduled",
            "ExternalProvisioning",
            "WaitForDataSource",
            "ProvisioningSucceeded",
            "ProvisioningFailed",
            "ProvisioningCleanupFailed",
            "UnrecognizedDataSourceKind",
            "VolumeMismatch",
            "ClaimLost",
            "ClaimMisbound",
            "FailedWrite",
            "ExternalExpanding",
            "VolumeResizeFailed",
            "VolumeResizeSuccessful",
            "FileSystemResizeRequired",
            "VolumeModifyFailed",
            "VolumeModifySuccessful",
            "VolumeModifyWaits",
            "VolumeConditionAbnormal",
            "VolumeConditionNormal",
            "ExternalDeleting",
            "VolumeDelete",
            "VolumeFailedDelete",
            "VolumeRecycled",
            "VolumeFailedRecycle",
            "VolumeUnknownReclaimPolicy",
            "CreatingSnapshot",
            "SnapshotCreated",
            "SnapshotReady",
            "SnapshotCreationFailed",
            "SnapshotContentCreationFailed",
            "SnapshotContentMissing",
            "SnapshotContentMisbound",
            "SnapshotContentMismatch",
            "SnapshotCheckandUpdateFailed",
            "SetDefaultSnapshotClassFailed",
            "SnapshotDeletePending",
            "SnapshotDeleteError",
            "SnapshotUnknownDeletionPolicy",
            "FailedCreateClaim",
            "ClaimNotOwned",
            "SuccessfulAttachVolume",
            "FailedAttachVolume",
            "FailedDetachVolume",
            "DetachWaits",
            "ForcedDetach",
            "AttachmentLost");

    private EventReasons() {}
}
