package io.volume4j.spi.plugin;

import io.volume4j.spi.CallContext;
import io.volume4j.spi.VolumeId;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says how volumes and the storage behind them are. For people: nothing is decided by it. Thread-safe.
 *
 * @since 0.1.0
 */
public interface HealthReporter {
    /** How a volume is, as it is seen from the backend. */
    Health health(VolumeId volume, CallContext context);

    /** The same, as seen also from where the volume is mounted on this node. */
    default Health health(HealthRequest request, CallContext context) {
        return health(request.volume(), context);
    }

    /**
     * How a volume is, as this node alone sees it: the backend is not asked. The volume need not be mounted here if it was to be, so
     * that the answer may say why it could not be.
     *
     * @return {@link Health#notReported()} if the plugin cannot tell
     */
    default Health healthOnNode(HealthRequest request, CallContext context) {
        return Health.notReported();
    }

    /** Whether {@link #list} tells something. It may change while the plugin is registered. Must not block. */
    default boolean lists() {
        return false;
    }

    /**
     * How the backend's volumes are, in one answer for many of them. A controller asks this instead of asking for each volume, and
     * asks for a single volume where the list leaves a doubt.
     *
     * @return nothing, and not complete, if the plugin has no such list
     * @throws io.volume4j.spi.VolumeException if the list cannot be had; then what was known before still stands
     */
    default HealthListing list(CallContext context) {
        return new HealthListing(Map.of(), false);
    }

    /**
     * How the storage behind all volumes of this plugin is, as this node sees it.
     *
     * @return {@link StorageHealth#notReported()} if the plugin cannot tell
     * @throws io.volume4j.spi.VolumeException if it can, and failed to; then what was known before still stands
     */
    default StorageHealth storage(CallContext context) {
        return StorageHealth.notReported();
    }

    /**
     * Which volume, and where this node has it.
     *
     * @param path where a pod of this node has it, or where it was to have it; null if neither
     * @param deviceMountPath null if the node has no device mount of it
     */
    record HealthRequest(
            VolumeId volume, @Nullable Path path, @Nullable Path deviceMountPath) {}

    /** What is wrong with a volume. The order is no ranking. */
    enum Kind {
        /** It can be used, and is below its best. */
        DEGRADED,
        /** It is out of reach: everywhere if the controller says so, and on this node only if the node does. */
        INACCESSIBLE,
        /** Data is gone for good, or very likely so. */
        DATA_LOSS,
        /** Something that has no name here, from an old plugin or a new one. It is shown and never acted upon. */
        OTHER
    }

    /** Who found it. A node's finding says nothing about other nodes. */
    enum SeenBy {
        CONTROLLER,
        NODE,
        /** The plugin does not say. */
        UNSAID
    }

    /**
     * One thing that is wrong with a volume.
     *
     * @param reason a short word for machines; may be empty
     * @param message for people; may be empty
     */
    record Finding(Kind kind, SeenBy seenBy, String reason, String message) {
        /** For people, in one line. */
        public String text() {
            String seen = switch (seenBy) {
                case CONTROLLER -> "controller: ";
                case NODE -> "node: ";
                case UNSAID -> "";
            };
            return seen + HealthReporter.text(kind == Kind.OTHER ? "" : kind.name(), reason, message);
        }

        private boolean sameAs(Finding other) {
            return !reason.isEmpty() && kind == other.kind && seenBy == other.seenBy && reason.equals(other.reason);
        }
    }

    /**
     * An answer about one volume.
     *
     * @param reported whether the plugin could say anything; without it there are no findings, which does not mean that the
     *     volume is well
     * @param findings what is wrong; of a volume that was reported, none means that it is well as far as is known
     */
    record Health(boolean reported, List<Finding> findings) {
        private static final Health WELL = new Health(true, List.of());
        private static final Health NOT_REPORTED = new Health(false, List.of());

        public Health {
            findings = List.copyOf(findings);
            if (!reported && !findings.isEmpty()) {
                throw new IllegalArgumentException("what was not reported has no findings");
            }
        }

        /** Of a plugin that knows only whether something is wrong. */
        public Health(boolean abnormal, String message) {
            this(true, abnormal ? List.of(new Finding(Kind.OTHER, SeenBy.UNSAID, "", message)) : List.of());
        }

        /** Nothing is known to be wrong. */
        public static Health well() {
            return WELL;
        }

        /** The plugin could not say anything. */
        public static Health notReported() {
            return NOT_REPORTED;
        }

        /** Whether something is wrong. */
        public boolean abnormal() {
            return !findings.isEmpty();
        }

        /** All that is wrong, for people; empty if nothing is. */
        public String message() {
            return findings.stream().map(Finding::text).collect(Collectors.joining("; "));
        }

        /**
         * What is to be believed when this answer follows another: the earlier one, if this says nothing, or says the same
         * for the same reasons in other words.
         *
         * @param before null if there is none
         */
        public Health after(@Nullable Health before) {
            boolean keep = before != null && (!reported || (abnormal() && repeats(before)));
            return keep ? Objects.requireNonNull(before) : this;
        }

        private boolean repeats(Health before) {
            return findings.size() == before.findings.size()
                    && findings.stream()
                            .allMatch(mine -> before.findings.stream().anyMatch(mine::sameAs));
        }

        /** The same with other texts, for example without what must not be shown. */
        public Health mapTexts(UnaryOperator<String> change) {
            return new Health(
                    reported,
                    findings.stream()
                            .map(each -> new Finding(
                                    each.kind, each.seenBy, change.apply(each.reason), change.apply(each.message)))
                            .toList());
        }
    }

    /**
     * How many volumes are.
     *
     * @param volumes by the plugin's names of volumes, see {@link VolumeId#name}
     * @param complete whether the plugin says that no other volume that it knows is abnormal. Also then a volume that is missing may be
     *     unknown to the plugin, or may have been missed, because a list is no consistent view
     */
    record HealthListing(Map<String, Health> volumes, boolean complete) {
        public HealthListing {
            volumes = Map.copyOf(volumes);
        }

        /** The same with other texts, for example without what must not be shown. */
        public HealthListing mapTexts(UnaryOperator<String> change) {
            Map<String, Health> changed = new HashMap<>();
            volumes.forEach((name, health) -> changed.put(name, health.mapTexts(change)));
            return new HealthListing(changed, complete);
        }
    }

    /** What is wrong with storage. */
    enum StorageKind {
        /** It is impaired, for example slow or with fewer paths. */
        DEGRADED,
        /** This node has lost it: its volumes are out of reach here. */
        UNREACHABLE,
        /** Something that has no name here. It is shown and never acted upon. */
        OTHER
    }

    /** Which volumes a finding about storage concerns. */
    enum Use {
        ANY,
        MOUNTED,
        BLOCK
    }

    /**
     * One thing that is wrong with the storage.
     *
     * @param use of which volumes of the plugin
     */
    record StorageFinding(StorageKind kind, Use use, String reason, String message) {
        /** For people, in one line. */
        public String text() {
            return HealthReporter.text(kind == StorageKind.OTHER ? "" : kind.name(), reason, message);
        }
    }

    /**
     * How the storage is.
     *
     * @param reported whether the plugin can tell
     * @param findings what is wrong; of what was reported, none means that no problem is known
     */
    record StorageHealth(boolean reported, List<StorageFinding> findings) {
        private static final StorageHealth NOT_REPORTED = new StorageHealth(false, List.of());

        public StorageHealth {
            findings = List.copyOf(findings);
        }

        /** The plugin cannot tell. */
        public static StorageHealth notReported() {
            return NOT_REPORTED;
        }
    }

    private static String text(String kind, String reason, String message) {
        String word = kind.toLowerCase(Locale.ROOT).replace('_', ' ');
        if (reason.isEmpty() && word.isEmpty()) {
            return message.isEmpty() ? "abnormal" : message;
        }
        String what = word.isEmpty() ? "abnormal" : word;
        String why = reason.isEmpty() ? what : what + " (" + reason + ")";
        return message.isEmpty() ? why : why + ": " + message;
    }
}
