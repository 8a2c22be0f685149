package io.volume4j.csi.driver.options;

import java.util.Locale;

/**
 * A deviation from the specification that drivers in the field show. All are off by default: without them the driver
 * conforms. On the command line the names are written in lower case with hyphens.
 *
 * @since 0.1.0
 */
public enum Quirk {
    /** Each CreateVolume makes a new volume, whatever its name. */
    FRESH_ID_FOR_SAME_NAME,
    /** Deleting what is gone answers NOT_FOUND. */
    NOT_FOUND_ON_REPEATED_DELETE,
    /** Every refusal is UNKNOWN, as a server answers that throws. */
    UNKNOWN_EXCEPTIONS,
    /** Whatever would be refused with NOT_FOUND is answered with OK and an empty reply, and nothing is done. */
    GRANTS_THE_UNKNOWN,
    /** Requests without fields that the specification requires are served as they are. */
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
    /** ControllerGetCapabilities has EXPAND_VOLUME, GetPluginCapabilities says nothing of expansion. */
    NO_PLUGIN_EXPANSION,
    /** Probe answers without {@code ready}. */
    PROBE_WITHOUT_READY,

    /** Lists are cut at max_entries without a next token. */
    LIST_WITHOUT_NEXT_TOKEN,
    /** Each page begins with the last entry of the page before. */
    LIST_DUPLICATES,
    /** Every continued listing is refused once with ABORTED before it goes on. */
    LIST_STALE_TOKEN,
    /** A volume that was made while the list was read is put at its front, where no page looks any more. */
    LIST_DRIFT,
    /** ControllerListVolumeHealth leaves volumes out that are not well. */
    HEALTH_LIST_MISSES,
    /** The published node ids hold an empty one. */
    EMPTY_PUBLISHED_NODE,
    /** The published node ids hold a node that does not exist. */
    PHANTOM_PUBLISHED_NODE,

    /** Volumes are made smaller than required. */
    SMALLER_THAN_REQUIRED,
    /** CreateVolume answers without the content source. */
    NO_CONTENT_SOURCE,
    /** CreateVolume answers with a topology that the request did not ask for. */
    TOPOLOGY_ELSEWHERE,
    /** GetCapacity promises twice of what there is. */
    EXAGGERATED_CAPACITY,

    /** The first ControllerExpandVolume of a volume grows it half-way and answers INTERNAL. */
    PARTIAL_EXPANSION,
    /** The first ControllerModifyVolume of a volume is done and answers INTERNAL. */
    MODIFY_DONE_BUT_INTERNAL,
    /** A snapshot that was cut fails when it is asked for again. */
    SNAPSHOT_FAILS_AFTER_CUT,

    /** Metadata streams leave blocks out. */
    METADATA_GAPS,
    /** Metadata streams tell blocks twice. */
    METADATA_DUPLICATES,
    /** Metadata streams change their block style in the middle. */
    METADATA_STYLE_CHANGE,
    /** Metadata streams that begin at zero break off after their first part. */
    METADATA_BREAKS_OFF;

    /** As it is written on a command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @throws IllegalArgumentException if there is none of that name */
    public static Quirk parse(String label) {
        for (Quirk quirk : values()) {
            if (quirk.label().equals(label)) {
                return quirk;
            }
        }
        throw new IllegalArgumentException("no quirk is called \"" + label + "\"");
    }
}
