package io.volume4j.csi.driver.options;

import java.util.Locale;

/**
 * A deviation from the specification that real drivers have. All are off by default; then the driver conforms. On the
 * command line the names are in lower case with hyphens.
 *
 * @since 0.1.0
 */
public enum Quirk {
    /** Each CreateVolume creates a new volume, also for an existing name. */
    FRESH_ID_FOR_SAME_NAME,
    /** Deleting an object that does not exist answers NOT_FOUND. */
    NOT_FOUND_ON_REPEATED_DELETE,
    /** Every refusal has the code UNKNOWN, as from a server that throws an exception. */
    UNKNOWN_EXCEPTIONS,
    /** Instead of NOT_FOUND the driver answers OK with an empty reply, and does nothing. */
    GRANTS_THE_UNKNOWN,
    /** The driver serves requests without the fields that the specification requires. */
    SERVES_WITHOUT_REQUIRED_FIELDS,
    /** A repeated NodeUnpublishVolume, NodeUnstageVolume or ControllerUnpublishVolume answers NOT_FOUND. */
    NON_IDEMPOTENT_UNPUBLISH,
    /** Calls whose capability is off answer INVALID_ARGUMENT instead of UNIMPLEMENTED. */
    INVALID_ARGUMENT_WHEN_DISABLED,
    /** Staging a volume that is not attached answers INTERNAL instead of FAILED_PRECONDITION. */
    STAGE_BEFORE_ATTACH_IS_INTERNAL,
    /** ControllerGetVolume of an unknown id answers OK with an abnormal condition. */
    GET_OF_UNKNOWN_IS_ABNORMAL,
    /** ValidateVolumeCapabilities confirms without the mutable parameters. */
    VALIDATE_FORGETS_MUTABLE_PARAMETERS,
    /** ControllerGetCapabilities has EXPAND_VOLUME, but GetPluginCapabilities does not report expansion. */
    NO_PLUGIN_EXPANSION,
    /** Probe answers without {@code ready}. */
    PROBE_WITHOUT_READY,

    /** Lists end after max_entries without a next token. */
    LIST_WITHOUT_NEXT_TOKEN,
    /** Each page begins with the last entry of the page before. */
    LIST_DUPLICATES,
    /** Every continued listing is refused once with ABORTED. */
    LIST_STALE_TOKEN,
    /** Each page of ListVolumes begins with the newest volume, which the list so repeats. A page for one entry has two. */
    LIST_DRIFT,
    /** ControllerListVolumeHealth omits unhealthy volumes. */
    HEALTH_LIST_MISSES,
    /** The published node ids contain an empty one. */
    EMPTY_PUBLISHED_NODE,
    /** The published node ids contain a node that does not exist. */
    PHANTOM_PUBLISHED_NODE,

    /** CreateVolume creates volumes that are smaller than required. */
    SMALLER_THAN_REQUIRED,
    /** CreateVolume answers without the content source. */
    NO_CONTENT_SOURCE,
    /** CreateVolume answers with a topology outside the request. */
    TOPOLOGY_ELSEWHERE,
    /** GetCapacity reports twice the available capacity. */
    EXAGGERATED_CAPACITY,

    /** The first ControllerExpandVolume of a volume expands it half-way and answers INTERNAL. */
    PARTIAL_EXPANSION,
    /** The first ControllerModifyVolume of a volume succeeds and answers INTERNAL. */
    MODIFY_DONE_BUT_INTERNAL,
    /** A repeated CreateSnapshot fails while the snapshot is not ready. */
    SNAPSHOT_FAILS_AFTER_CUT,

    /** Metadata streams omit blocks. */
    METADATA_GAPS,
    /** Metadata streams repeat blocks. */
    METADATA_DUPLICATES,
    /** Metadata streams change their block style in the middle. */
    METADATA_STYLE_CHANGE,
    /** Metadata streams that begin at zero break after their first part. */
    METADATA_BREAKS_OFF;

    /** The name on a command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException if the name is unknown */
    public static Quirk parse(String label) {
        for (Quirk quirk : values()) {
            if (quirk.label().equals(label)) {
                return quirk;
            }
        }
        throw new IllegalArgumentException("no quirk is called \"" + label + "\"");
    }
}
