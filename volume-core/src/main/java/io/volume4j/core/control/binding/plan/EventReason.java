package io.volume4j.core.control.binding.plan;

/** Reasons of the events about claims and volumes. {@code kubectl describe} shows them. */
public final class EventReason {
    private EventReason() {}

    public static final String FAILED_BINDING = "FailedBinding";
    public static final String WAIT_FOR_FIRST_CONSUMER = "WaitForFirstConsumer";
    public static final String WAIT_FOR_POD_SCHEDULED = "WaitForPodScheduled";
    public static final String EXTERNAL_PROVISIONING = "ExternalProvisioning";
    public static final String PROVISIONING_SUCCEEDED = "ProvisioningSucceeded";
    public static final String PROVISIONING_FAILED = "ProvisioningFailed";
    public static final String PROVISIONING_CLEANUP_FAILED = "ProvisioningCleanupFailed";
    /** No populator fills volumes from the kind of the claim's data source. */
    public static final String UNRECOGNIZED_DATA_SOURCE_KIND = "UnrecognizedDataSourceKind";

    /** The claim's data source does not exist yet or is not ready yet. */
    public static final String WAIT_FOR_DATA_SOURCE = "WaitForDataSource";

    /** Another process deletes the storage of a released volume. */
    public static final String EXTERNAL_DELETING = "ExternalDeleting";

    public static final String VOLUME_MISMATCH = "VolumeMismatch";
    public static final String VOLUME_DELETE = "VolumeDelete";
    public static final String VOLUME_FAILED_DELETE = "VolumeFailedDelete";
    public static final String VOLUME_RECYCLED = "VolumeRecycled";
    public static final String VOLUME_FAILED_RECYCLE = "VolumeFailedRecycle";
    public static final String VOLUME_UNKNOWN_RECLAIM_POLICY = "VolumeUnknownReclaimPolicy";
    public static final String CLAIM_LOST = "ClaimLost";
    public static final String CLAIM_MISBOUND = "ClaimMisbound";
}
