package io.volume4j.examples.csidriver;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.driver.options.Bytes;
import io.volume4j.csi.driver.options.DriverOptions;
import io.volume4j.csi.driver.options.MountStyle;
import io.volume4j.csi.driver.options.Pool;
import io.volume4j.csi.driver.options.Quirk;
import io.volume4j.csi.driver.options.Switches;
import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line: what the driver is, what it can do, what it has, and what goes wrong. */
@Command(
        name = "csi-driver",
        mixinStandardHelpOptions = true,
        description = "A CSI 1.13 driver for tests. It conforms by default, keeps volumes in directories and sparse"
                + " files, and publishes them by bind mounts if it may mount, otherwise by symbolic links.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was asked to end", "1:it could not start", "2:the command line is wrong"})
final class DriverCommand implements Callable<Integer> {
    private final Map<String, String> environment;
    private final ToIntFunction<Driver> run;

    @ArgGroup(exclusive = false, heading = "%nWhere and who:%n", order = 1)
    private Identity identity = new Identity();

    @ArgGroup(exclusive = false, heading = "%nCapabilities (all by default, with online expansion):%n", order = 2)
    private Abilities abilities = new Abilities();

    @ArgGroup(exclusive = false, heading = "%nWhat it has:%n", order = 3)
    private Stock stock = new Stock();

    @ArgGroup(exclusive = false, heading = "%nWhat goes wrong:%n", order = 4)
    private Trouble trouble = new Trouble();

    /**
     * A driver as the command line describes it.
     *
     * @param faults rules as text
     * @param control where the control socket is to be, null for none
     * @param logCalls whether each call is printed
     */
    record Driver(
            DriverOptions options, String faults, @Nullable Path control, boolean logCalls) {}

    /** @param run what is done with a command line that makes sense; gives the exit code */
    DriverCommand(Map<String, String> environment, ToIntFunction<Driver> run) {
        this.environment = environment;
        this.run = run;
    }

    @Override
    public Integer call() {
        return run.applyAsInt(driver());
    }

    private Driver driver() {
        String endpoint = identity.endpoint == null ? environment.get("CSI_ENDPOINT") : identity.endpoint;
        if (endpoint == null) {
            throw new Usage("--endpoint unix:///PATH is required, or CSI_ENDPOINT in the environment");
        }
        DriverOptions.Builder options = DriverOptions.at(socket("--endpoint", endpoint));
        abilities.tell(options);
        identity.tell(options);
        stock.tell(options);
        trouble.tell(options);
        try {
            DriverOptions wanted = options.build();
            Path control = identity.control == null ? null : socket("--control", identity.control);
            requireConsistent(wanted, control);
            return new Driver(wanted, trouble.rules(), control, identity.logCalls);
        } catch (IllegalArgumentException wrong) {
            throw new Usage(String.valueOf(wrong.getMessage()));
        }
    }

    /** Options that are right each by itself, and together make a driver that no caller can use or that loses content. */
    private static void requireConsistent(DriverOptions wanted, @Nullable Path control) {
        if (wanted.minimumSize() > wanted.maximumSize()) {
            throw new Usage("--min-size (%s) is larger than --max-size (%s), so there could be no volume"
                    .formatted(Bytes.format(wanted.minimumSize()), Bytes.format(wanted.maximumSize())));
        }
        if (wanted.keepMounts() && wanted.stateDirectory().isEmpty()) {
            throw new Usage(
                    "--keep-mounts needs --state-dir: the driver deletes its temporary directory at its end, and with it what"
                            + " the mounts show");
        }
        if (wanted.otherNodes().containsKey(wanted.nodeId())) {
            throw new Usage("--node: " + wanted.nodeId() + " is this node, whose socket is that of --endpoint");
        }
        wanted.places().keySet().stream()
                .filter(node ->
                        !node.equals(wanted.nodeId()) && !wanted.otherNodes().containsKey(node))
                .findFirst()
                .ifPresent(node -> {
                    throw new Usage("--place: there is no node " + node + "; name it with --node-id or --node");
                });
        Set<Path> sockets = new HashSet<>();
        sockets.add(wanted.socket());
        wanted.otherNodes().forEach((node, socket) -> {
            if (socket.isPresent() && !sockets.add(socket.get())) {
                throw new Usage("--node: " + node + " needs a socket of its own, and another node has " + socket.get());
            }
        });
        if (control != null && !sockets.add(control)) {
            throw new Usage("--control needs a socket of its own, and a node has " + control);
        }
    }

    private static Path socket(String option, String text) {
        try {
            return CsiEndpoint.parse(text).socket();
        } catch (IllegalArgumentException wrong) {
            throw new Usage(option + ": " + wrong.getMessage());
        }
    }

    /** Has each value read, and names the option of the one that cannot be. */
    private static <T> void each(String option, Iterable<T> values, Consumer<T> reader) {
        for (T value : values) {
            try {
                reader.accept(value);
            } catch (IllegalArgumentException wrong) {
                throw new Usage(option + ": " + wrong.getMessage());
            }
        }
    }

    private static <T> void one(String option, @Nullable T value, Consumer<T> reader) {
        if (value != null) {
            each(option, List.of(value), reader);
        }
    }

    /** Before and after a colon or an equals sign. */
    private static String[] parts(String value, int at, String expected) {
        if (at < 1) {
            throw new IllegalArgumentException("expected " + expected + ", not \"" + value + "\"");
        }
        return new String[] {value.substring(0, at), value.substring(at + 1)};
    }

    /** Where it is and what it is called. */
    static final class Identity {
        @Option(
                names = "--endpoint",
                paramLabel = "unix:///PATH",
                description = "the socket of this node; otherwise CSI_ENDPOINT of the environment")
        private @Nullable String endpoint;

        @Option(
                names = "--state-dir",
                paramLabel = "DIR",
                description = "the directory for the state that survives a crash; by default a temporary directory")
        private @Nullable Path stateDirectory;

        @Option(
                names = "--registration-dir",
                paramLabel = "DIR",
                description = "announce the driver in this directory, as node agents expect it")
        private @Nullable Path registrationDirectory;

        @Option(
                names = "--control",
                paramLabel = "unix:///PATH",
                description = "a socket that takes commands; try: echo help | nc -U PATH")
        private @Nullable String control;

        @Option(names = "--name", paramLabel = "NAME", description = "the driver's name")
        private @Nullable String name;

        @Option(names = "--driver-version", paramLabel = "VERSION", description = "the version that it reports")
        private @Nullable String version;

        @Option(names = "--node-id", paramLabel = "ID", description = "the name of this node")
        private @Nullable String nodeId;

        @Option(
                names = "--node",
                paramLabel = "ID[=unix:///PATH]",
                description =
                        "another node; without a path the driver knows it but it has no node service; may be repeated")
        private List<String> nodes = new ArrayList<>();

        @Option(
                names = "--place",
                paramLabel = "NODE:KEY=VALUE,...",
                description = "where a node is; by default where the first pool is; may be repeated")
        private List<String> places = new ArrayList<>();

        @Option(
                names = "--mounts",
                paramLabel = "STYLE",
                description = "how volumes are shown: ${COMPLETION-CANDIDATES}")
        private @Nullable MountStyle mounts;

        @Option(names = "--keep-mounts", description = "keep them when the driver ends")
        private boolean keepMounts;

        @Option(names = "--log-calls", description = "print every call, without its contents")
        private boolean logCalls;

        void tell(DriverOptions.Builder options) {
            one("--state-dir", stateDirectory, options::stateDirectory);
            one("--registration-dir", registrationDirectory, options::registrationDirectory);
            one("--name", name, options::name);
            one("--driver-version", version, options::version);
            one("--node-id", nodeId, options::nodeId);
            each("--node", nodes, value -> {
                int equals = value.indexOf('=');
                if (equals < 0) {
                    options.silentNode(value);
                } else {
                    options.otherNode(
                            value.substring(0, equals),
                            CsiEndpoint.parse(value.substring(equals + 1)).socket());
                }
            });
            each("--place", places, value -> {
                String[] parts = parts(value, value.indexOf(':'), "NODE:KEY=VALUE");
                options.place(parts[0], parts[1]);
            });
            one("--mounts", mounts, options::mounts);
            options.keepMounts(keepMounts);
        }
    }

    /** Which capabilities it reports. */
    static final class Abilities {
        @Option(
                names = "--csi-1.12",
                description = "as a driver of CSI 1.12: conditions of volumes in place of the calls for health")
        private boolean of112;

        @Option(names = "--minimal", description = "only publish mounted volumes on the node")
        private boolean minimal;

        @Option(
                names = "--without",
                paramLabel = "NAME",
                completionCandidates = Groups.class,
                description = {
                    "not this one; may be repeated. These stand for several in the schema: ${COMPLETION-CANDIDATES}."
                            + " Others are named as in the schema: node.STAGE_UNSTAGE_VOLUME, expansion.OFFLINE, or a number"
                            + " without a name: controller.4711"
                })
        private List<String> without = new ArrayList<>();

        @Option(
                names = "--with",
                paramLabel = "NAME",
                completionCandidates = Groups.class,
                description = "this one too, whatever the options above say; may be repeated")
        private List<String> with = new ArrayList<>();

        void tell(DriverOptions.Builder options) {
            if (of112) {
                options.of112();
            }
            if (minimal) {
                options.switches(Switches.none());
            }
            each("--without", without, options::without);
            each("--with", with, options::with);
        }
    }

    /** Capacity, limits and what is there from the beginning. */
    static final class Stock {
        @Option(
                names = "--pool",
                paramLabel = "[KEY=VALUE,...:]SIZE",
                description = "a stock of capacity in a place; may be repeated (100Gi in zone a)")
        private List<String> pools = new ArrayList<>();

        @Option(names = "--min-size", paramLabel = "SIZE", description = "of a volume")
        private @Nullable String minimum;

        @Option(names = "--max-size", paramLabel = "SIZE", description = "of a volume")
        private @Nullable String maximum;

        @Option(names = "--rounding", paramLabel = "SIZE", description = "sizes are multiples of it")
        private @Nullable String rounding;

        @Option(names = "--attach-limit", paramLabel = "N", description = "volumes that a node can have")
        private @Nullable Integer attachLimit;

        @Option(names = "--reported-attach-limit", paramLabel = "N", description = "the reported maximum")
        private @Nullable Integer reportedAttachLimit;

        @Option(names = "--snapshot-limit", paramLabel = "N", description = "snapshots that it can keep")
        private @Nullable Integer snapshotLimit;

        @Option(
                names = "--snapshot-polls",
                paramLabel = "N",
                description = "how often a snapshot is asked for before it is ready")
        private @Nullable Integer snapshotPolls;

        @Option(names = "--page-size", paramLabel = "N", description = "entries of a list in one answer")
        private @Nullable Integer pageSize;

        @Option(
                names = "--not-ready",
                paramLabel = "N",
                description = "how many probes answer that the driver is not ready")
        private @Nullable Integer notReady;

        @Option(
                names = "--secret",
                paramLabel = "KEY=VALUE",
                description = "a secret that every call must contain; may be repeated")
        private Map<String, String> secrets = new TreeMap<>();

        @Option(
                names = "--mutable",
                paramLabel = "KEY,...",
                description = "what CreateVolume and ControllerModifyVolume take as mutable; anything without it")
        private @Nullable String mutable;

        @Option(
                names = "--volume",
                paramLabel = "ID:SIZE",
                description = "a volume that exists from the start; may be repeated")
        private List<String> volumes = new ArrayList<>();

        void tell(DriverOptions.Builder options) {
            List<Pool> parsed = new ArrayList<>();
            each("--pool", pools, value -> parsed.add(Pool.parse(value)));
            if (!parsed.isEmpty()) {
                options.pools(parsed);
            }
            one("--min-size", minimum, value -> options.minimumSize(Bytes.parse(value)));
            one("--max-size", maximum, value -> options.maximumSize(Bytes.parse(value)));
            one("--rounding", rounding, value -> options.rounding(Bytes.parse(value)));
            one("--attach-limit", attachLimit, options::attachLimit);
            one("--reported-attach-limit", reportedAttachLimit, options::reportedAttachLimit);
            one("--snapshot-limit", snapshotLimit, options::snapshotLimit);
            one("--snapshot-polls", snapshotPolls, options::snapshotPolls);
            one("--page-size", pageSize, options::pageSize);
            one("--not-ready", notReady, options::probesUntilReady);
            secrets.forEach(options::secret);
            one("--mutable", mutable, value -> options.mutableKeys(new TreeSet<>(Arrays.asList(value.split(",", -1)))));
            each("--volume", volumes, value -> {
                String[] parts = parts(value, value.lastIndexOf(':'), "ID:SIZE");
                options.presetVolume(parts[0], Bytes.parse(parts[1]));
            });
        }
    }

    /** Faults and quirks. */
    static final class Trouble {
        @Option(
                names = "--fault",
                paramLabel = "RULE",
                description = {
                    "RPC [volume=PATTERN] [node=PATTERN] [call=N|N-M|N-] POINT ACTION; may be repeated",
                    "POINT: before, during, after (the work)",
                    "ACTION: a gRPC code [message], delay=2s, late, hang, reset, half-close, oversize=8Mi, drip=5ms, crash,"
                            + " crash-losing-state"
                })
        private List<String> faults = new ArrayList<>();

        @Option(names = "--faults", paramLabel = "FILE", description = "rules, one on each line")
        private @Nullable Path file;

        @Option(
                names = "--quirk",
                paramLabel = "NAME",
                completionCandidates = Quirks.class,
                description = "a deviation that drivers in the field show; may be repeated: ${COMPLETION-CANDIDATES}")
        private List<String> quirks = new ArrayList<>();

        void tell(DriverOptions.Builder options) {
            each("--quirk", quirks, value -> options.quirk(Quirk.parse(value)));
        }

        String rules() {
            StringBuilder rules = new StringBuilder();
            faults.forEach(rule -> rules.append(rule).append('\n'));
            if (file != null) {
                rules.append(TextFile.read("--faults", file)).append('\n');
            }
            return rules.toString();
        }
    }

    /** The names of capabilities that belong together. */
    static final class Groups implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Switches.groups().keySet().iterator();
        }
    }

    /** The names of quirks. */
    static final class Quirks implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Quirk.values()).map(Quirk::label).iterator();
        }
    }
}
