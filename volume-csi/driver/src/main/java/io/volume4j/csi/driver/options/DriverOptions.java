package io.volume4j.csi.driver.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a driver, set before its start. Immutable; {@link #toBuilder()} changes a copy.
 *
 * @since 0.1.0
 */
public final class DriverOptions {
    private final Builder values;

    private DriverOptions(Builder values) {
        this.values = values;
    }

    /** Options for a driver on this socket, with every capability, one pool of 100Gi in zone {@code a}, and no limits. */
    public static Builder at(Path socket) {
        return new Builder(socket.toAbsolutePath().normalize());
    }

    public Builder toBuilder() {
        return new Builder(values);
    }

    /** The socket of this node's driver. */
    public Path socket() {
        return values.socket;
    }

    /** Default {@code csi-driver.volume4j.io}. */
    public String name() {
        return values.name;
    }

    public String version() {
        return values.version;
    }

    /** Default {@code node-1}. */
    public String nodeId() {
        return values.nodeId;
    }

    /**
     * Further nodes with the sockets of their drivers; the controller knows a node without socket, but the node has no
     * driver.
     */
    public Map<String, Optional<Path>> otherNodes() {
        return values.otherNodes;
    }

    /** The place of each node; a node without an entry is in the place of the first pool. */
    public Map<String, Map<String, String>> places() {
        return values.places;
    }

    public Switches switches() {
        return values.switches;
    }

    public Set<Quirk> quirks() {
        return Collections.unmodifiableSet(values.quirks);
    }

    public boolean has(Quirk quirk) {
        return values.quirks.contains(quirk);
    }

    /** The directory of the volumes and the driver's state; without one the driver uses a temporary directory. */
    public Optional<Path> stateDirectory() {
        return Optional.ofNullable(values.stateDirectory);
    }

    public List<Pool> pools() {
        return Collections.unmodifiableList(values.pools);
    }

    /** Smallest volume in bytes; the driver rounds smaller requests up. Default 1Mi. */
    public long minimumSize() {
        return values.minimumSize;
    }

    /** Largest volume in bytes. Default 1Ti. */
    public long maximumSize() {
        return values.maximumSize;
    }

    /** The driver rounds sizes up to a multiple of this many bytes. Default 4096. */
    public long rounding() {
        return values.rounding;
    }

    /** Most volumes attached to a node; 0 for no limit. */
    public int attachLimit() {
        return values.attachLimit;
    }

    /** The limit that NodeGetInfo reports; by default the real one. */
    public int reportedAttachLimit() {
        return values.reportedAttachLimit < 0 ? values.attachLimit : values.reportedAttachLimit;
    }

    /** How often a caller must ask for a snapshot before it is ready. Default 0. */
    public int snapshotPolls() {
        return values.snapshotPolls;
    }

    /** Most snapshots; 0 for no limit. */
    public int snapshotLimit() {
        return values.snapshotLimit;
    }

    /** How many probes answer that the driver is not ready. Default 0. */
    public int probesUntilReady() {
        return values.probesUntilReady;
    }

    /** Secrets that every call with a field for secrets must contain. */
    public Map<String, String> secrets() {
        return values.secrets;
    }

    /** Keys that ControllerModifyVolume accepts; any if empty. */
    public Set<String> mutableKeys() {
        return values.mutableKeys;
    }

    public MountStyle mounts() {
        return values.mounts;
    }

    /** Whether mounts stay after an orderly end, as they must when a driver is replaced under running pods. */
    public boolean keepMounts() {
        return values.keepMounts;
    }

    /** The directory in which the driver registers with a node agent. */
    public Optional<Path> registrationDirectory() {
        return Optional.ofNullable(values.registrationDirectory);
    }

    /** The most entries of a page when the caller sets no limit. Default 100. */
    public int pageSize() {
        return values.pageSize;
    }

    /** Volumes that exist from the beginning, with their bytes; for drivers that cannot create any. */
    public Map<String, Long> presetVolumes() {
        return values.presetVolumes;
    }

    /** The place of a node. */
    public Map<String, String> placeOf(String node) {
        return values.places.getOrDefault(node, values.pools.get(0).segments());
    }

    /** Builds options; not thread-safe. */
    public static final class Builder {
        private final Path socket;
        private String name = "csi-driver.volume4j.io";
        private String version = "1.0.0";
        private String nodeId = "node-1";
        private Map<String, Optional<Path>> otherNodes = Map.of();
        private Map<String, Map<String, String>> places = Map.of();
        private Switches switches = Switches.all();
        private Set<Quirk> quirks = EnumSet.noneOf(Quirk.class);
        private @Nullable Path stateDirectory;
        private List<Pool> pools = List.of(new Pool(Map.of("topology.volume4j.io/zone", "a"), 100L << 30));
        private long minimumSize = 1 << 20;
        private long maximumSize = 1L << 40;
        private long rounding = 4096;
        private int attachLimit;
        private int reportedAttachLimit = -1;
        private int snapshotPolls;
        private int snapshotLimit;
        private int probesUntilReady;
        private Map<String, String> secrets = Map.of();
        private Set<String> mutableKeys = Set.of();
        private MountStyle mounts = MountStyle.AUTO;
        private boolean keepMounts;
        private @Nullable Path registrationDirectory;
        private int pageSize = 100;
        private Map<String, Long> presetVolumes = Map.of();

        private Builder(Path socket) {
            this.socket = socket;
        }

        private Builder(Builder other) {
            socket = other.socket;
            name = other.name;
            version = other.version;
            nodeId = other.nodeId;
            otherNodes = other.otherNodes;
            places = other.places;
            switches = other.switches;
            quirks = EnumSet.copyOf(other.quirks);
            stateDirectory = other.stateDirectory;
            pools = other.pools;
            minimumSize = other.minimumSize;
            maximumSize = other.maximumSize;
            rounding = other.rounding;
            attachLimit = other.attachLimit;
            reportedAttachLimit = other.reportedAttachLimit;
            snapshotPolls = other.snapshotPolls;
            snapshotLimit = other.snapshotLimit;
            probesUntilReady = other.probesUntilReady;
            secrets = other.secrets;
            mutableKeys = other.mutableKeys;
            mounts = other.mounts;
            keepMounts = other.keepMounts;
            registrationDirectory = other.registrationDirectory;
            pageSize = other.pageSize;
            presetVolumes = other.presetVolumes;
        }

        public Builder name(String value) {
            name = value;
            return this;
        }

        public Builder version(String value) {
            version = value;
            return this;
        }

        public Builder nodeId(String value) {
            nodeId = value;
            return this;
        }

        /** Adds a node whose driver has its own socket. */
        public Builder otherNode(String id, Path itsSocket) {
            return addNode(id, Optional.of(itsSocket.toAbsolutePath().normalize()));
        }

        /** Adds a node that the controller knows and that has no driver. */
        public Builder silentNode(String id) {
            return addNode(id, Optional.empty());
        }

        private Builder addNode(String id, Optional<Path> itsSocket) {
            Map<String, Optional<Path>> more = new LinkedHashMap<>(otherNodes);
            more.put(id, itsSocket);
            otherNodes = Collections.unmodifiableMap(more);
            return this;
        }

        /** Sets the place of a node. */
        public Builder place(String node, Map<String, String> segments) {
            Map<String, Map<String, String>> more = new TreeMap<>(places);
            more.put(node, Collections.unmodifiableMap(new TreeMap<>(segments)));
            places = Collections.unmodifiableMap(more);
            return this;
        }

        /** Sets the place of a node, in the form {@code zone=a,rack=7}. */
        public Builder place(String node, String segments) {
            return place(node, Segments.parse(segments));
        }

        public Builder switches(Switches value) {
            switches = value;
            return this;
        }

        /** Makes it a driver of CSI 1.12: see {@link Switches#of112}. */
        public Builder of112() {
            switches = switches.of112();
            return this;
        }

        public Builder with(String capability) {
            switches = switches.with(capability);
            return this;
        }

        public Builder without(String capability) {
            switches = switches.without(capability);
            return this;
        }

        public Builder quirk(Quirk quirk) {
            quirks.add(quirk);
            return this;
        }

        public Builder noQuirks() {
            quirks.clear();
            return this;
        }

        public Builder stateDirectory(Path directory) {
            stateDirectory = directory.toAbsolutePath().normalize();
            return this;
        }

        /** @throws IllegalArgumentException if the list is empty */
        public Builder pools(List<Pool> value) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException("a driver needs a pool");
            }
            pools = new ArrayList<>(value);
            return this;
        }

        public Builder minimumSize(long bytes) {
            minimumSize = notNegative("minimumSize", bytes);
            return this;
        }

        public Builder maximumSize(long bytes) {
            maximumSize = notNegative("maximumSize", bytes);
            return this;
        }

        public Builder rounding(long bytes) {
            rounding = Math.max(1, notNegative("rounding", bytes));
            return this;
        }

        public Builder attachLimit(int volumes) {
            attachLimit = (int) notNegative("attachLimit", volumes);
            return this;
        }

        public Builder reportedAttachLimit(int volumes) {
            reportedAttachLimit = (int) notNegative("reportedAttachLimit", volumes);
            return this;
        }

        public Builder snapshotPolls(int polls) {
            snapshotPolls = (int) notNegative("snapshotPolls", polls);
            return this;
        }

        public Builder snapshotLimit(int snapshots) {
            snapshotLimit = (int) notNegative("snapshotLimit", snapshots);
            return this;
        }

        public Builder probesUntilReady(int probes) {
            probesUntilReady = (int) notNegative("probesUntilReady", probes);
            return this;
        }

        public Builder secret(String key, String value) {
            Map<String, String> more = new TreeMap<>(secrets);
            more.put(key, value);
            secrets = Collections.unmodifiableMap(more);
            return this;
        }

        public Builder mutableKeys(Set<String> keys) {
            mutableKeys = Set.copyOf(keys);
            return this;
        }

        public Builder mounts(MountStyle style) {
            mounts = style;
            return this;
        }

        public Builder keepMounts(boolean keep) {
            keepMounts = keep;
            return this;
        }

        public Builder registrationDirectory(Path directory) {
            registrationDirectory = directory.toAbsolutePath().normalize();
            return this;
        }

        public Builder pageSize(int entries) {
            pageSize = (int) Math.max(1, notNegative("pageSize", entries));
            return this;
        }

        public Builder presetVolume(String id, long bytes) {
            Map<String, Long> more = new TreeMap<>(presetVolumes);
            more.put(id, notNegative("presetVolume", bytes));
            presetVolumes = Collections.unmodifiableMap(more);
            return this;
        }

        public DriverOptions build() {
            return new DriverOptions(new Builder(this));
        }

        private static long notNegative(String what, long value) {
            if (value < 0) {
                throw new IllegalArgumentException(what + " must not be negative: " + value);
            }
            return value;
        }
    }
}
