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
 * Reports the health of volumes and of their storage. The reports are for people: the library makes no decision from
 * them. Implementations are thread-safe.
 *
 * @since 0.1.0
 */
public interface HealthReporter {
    /** The health of a volume as the backend sees it. */
    Health health(VolumeId volume, CallContext context);

    /** The health of a volume as the backend and this node's mount of it show it. */
    default Health health(HealthRequest request, CallContext context) {
        return health(request.volume(), context);
    }

    /**
     * The health of a volume as this node alone sees it, without asking the backend. The library may also ask for a
     * volume that it failed to mount here: the answer may then say why the mount failed.
     *
     * @return {@link Health#notReported()} if the plugin cannot tell
     */
    default Health healthOnNode(HealthRequest request, CallContext context) {
        return Health.notReported();
    }

    /** Whether {@link #list} returns reports. The answer may change while the plugin is registered. Must not block. */
    default boolean lists() {
        return false;
    }

    /**
     * The health of many volumes of the backend, in one answer. A controller calls this instead of asking for each
     * volume. It asks for a single volume only where the list is not certain.
     *
     * @return an empty, incomplete listing if the plugin has no such list
     * @throws io.volume4j.spi.VolumeException if the plugin cannot get the list; the controller then keeps the
     *     previous reports
     */
    default HealthListing list(CallContext context) {
        return new HealthListing(Map.of(), false);
    }

    /**
     * The health of the storage of all volumes of this plugin, as this node sees it.
     *
     * @return {@link StorageHealth#notReported()} if the plugin cannot tell
     * @throws io.volume4j.spi.VolumeException if the plugin failed to get an answer; the library then keeps the
     *     previous report
     */
    default StorageHealth storage(CallContext context) {
        return StorageHealth.notReported();
    }

    /**
     * The volume, and its paths on this node.
     *
     * @param path the path of a pod's mount on this node, or the path where that mount failed; null if there is
     *     neither. For a raw device, the publish path of {@link BlockMapper.MapPodRequest}
     * @param deviceMountPath null if the node has no device mount of it. For a raw device, the staging path of
     *     {@link BlockMapper.MapDeviceRequest}
     */
    record HealthRequest(
            VolumeId volume, @Nullable Path path, @Nullable Path deviceMountPath) {}

    /** Kinds of problems with a volume. The order is not a ranking. */
    enum Kind {
        /** The volume is usable, but impaired. */
        DEGRADED,
        /**
         * The volume is not accessible: everywhere if the controller reports it, on this node only if the node
         * reports it.
         */
        INACCESSIBLE,
        /** Data is lost permanently, or very likely so. */
        DATA_LOSS,
        /** A problem of another kind, from an older or newer plugin. The library shows it and never acts on it. */
        OTHER
    }

    /** Which side found the problem. A finding of a node says nothing about other nodes. */
    enum SeenBy {
        CONTROLLER,
        NODE,
        /** The plugin does not say. */
        UNSAID
    }

    /**
     * One problem with a volume.
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
     * The report on one volume.
     *
     * @param reported whether the plugin could report. If not, there are no findings, and the state of the volume is
     *     unknown
     * @param findings the problems. An empty list with {@code reported} true means that no problem is known
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

        /** A report of a plugin that knows only whether there is a problem. */
        public Health(boolean abnormal, String message) {
            this(true, abnormal ? List.of(new Finding(Kind.OTHER, SeenBy.UNSAID, "", message)) : List.of());
        }

        /** A report without problems. */
        public static Health well() {
            return WELL;
        }

        /** The plugin could not report. */
        public static Health notReported() {
            return NOT_REPORTED;
        }

        /** Whether there is a problem. */
        public boolean abnormal() {
            return !findings.isEmpty();
        }

        /** All problems, for people; empty if there is none. */
        public String message() {
            return findings.stream().map(Finding::text).collect(Collectors.joining("; "));
        }

        /**
         * Which of two successive reports counts. The earlier one counts if this one reports nothing, or if it has
         * the same findings and reasons with other messages only.
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

        /** The same report with changed texts, for example with secrets removed. */
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
     * The health of many volumes.
     *
     * @param volumes by the plugin's names of volumes, see {@link VolumeId#name}
     * @param complete whether the plugin says that no other volume that it knows is abnormal. Even then a volume may
     *     be missing, because the plugin does not know it or because the list is not a consistent view
     */
    record HealthListing(Map<String, Health> volumes, boolean complete) {
        public HealthListing {
            volumes = Map.copyOf(volumes);
        }

        /** The same report with changed texts, for example with secrets removed. */
        public HealthListing mapTexts(UnaryOperator<String> change) {
            Map<String, Health> changed = new HashMap<>();
            volumes.forEach((name, health) -> changed.put(name, health.mapTexts(change)));
            return new HealthListing(changed, complete);
        }
    }

    /** Kinds of problems with storage. */
    enum StorageKind {
        /** The storage is impaired, for example slow or with fewer paths. */
        DEGRADED,
        /** This node cannot reach the storage; its volumes are not accessible here. */
        UNREACHABLE,
        /** A problem of another kind. The library shows it and never acts on it. */
        OTHER
    }

    /** Which volumes a finding about storage concerns. */
    enum Use {
        ANY,
        MOUNTED,
        BLOCK
    }

    /**
     * One problem with the storage.
     * @param use which volumes of the plugin it concerns
     */
    record StorageFinding(StorageKind kind, Use use, String reason, String message) {
        /** For people, in one line. */
        public String text() {
            return HealthReporter.text(kind == StorageKind.OTHER ? "" : kind.name(), reason, message);
        }
    }

    /**
     * The health of the storage.
     * @param reported whether the plugin can report
     * @param findings the problems. An empty list with {@code reported} true means that no problem is known
     */
    record StorageHealth(boolean reported, List<StorageFinding> findings) {
        private static final StorageHealth NOT_REPORTED = new StorageHealth(false, List.of());

        public StorageHealth {
            findings = List.copyOf(findings);
        }

        /** The plugin cannot report. */
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
