package io.volume4j.examples.csilifecycle;

import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.proto.VolumeCapability.AccessMode.Mode;
import io.volume4j.examples.commandline.TextFile;
import io.volume4j.examples.commandline.Usage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line. */
@Command(
        name = "csi-lifecycle",
        mixinStandardHelpOptions = true,
        description = {
            "Calls your CSI driver through the whole life of a volume and shows every call: create, attach, stage, publish, write"
                    + " and read, expand, snapshot, restore, and the reverse steps. Asks the driver for its capabilities and omits"
                    + " the rest. Ends with a leak check. After a failure it tears everything down; after a kill -9, run it again."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything passed and nothing is left",
            "1:not so",
            "2:the command line is wrong",
            "130:stopped by Ctrl-C"
        })
final class LifecycleCommand implements Callable<Integer> {
    private final ToIntFunction<Arguments> run;

    @Option(
            names = "--endpoint",
            paramLabel = "unix:///PATH",
            converter = Words.Socket.class,
            description = "the driver's socket")
    private @Nullable CsiEndpoint endpoint;

    @Option(
            names = "--node-endpoint",
            paramLabel = "unix:///PATH",
            converter = Words.Socket.class,
            description = "the socket of its node service, if it is another one")
    private @Nullable CsiEndpoint nodeEndpoint;

    @Option(
            names = "--plan",
            description =
                    "show the calls and send none of them, except the query for capabilities; without --endpoint not"
                            + " even that")
    private boolean plan;

    @Option(
            names = "--list",
            description =
                    "the ids of the cases of such a run with a driver that can do everything, and the rule that each stands"
                            + " for; sends nothing")
    private boolean list;

    @Option(
            names = "--focus",
            paramLabel = "WORD",
            description = "only the parts with this word in their name, and what they need; may be repeated")
    private List<String> focus = new ArrayList<>();

    @Option(names = "--junit", paramLabel = "FILE", description = "the result of each case, as JUnit XML")
    private @Nullable Path junit;

    @Option(names = "--json", paramLabel = "FILE", description = "the same as JSON")
    private @Nullable Path json;

    @Option(
            names = "--badge",
            paramLabel = "FILE",
            description = "a badge with the result, as SVG, and its data in FILE.json")
    private @Nullable Path badge;

    @Option(
            names = "--refusals",
            description =
                    "also calls that a driver must refuse: a name that is in use, unknown volumes, an invalid token")
    private boolean refusals;

    @Option(
            names = "--parallel",
            paramLabel = "N",
            converter = Words.Positive.class,
            defaultValue = "1",
            description =
                    "how many lives run at the same time, each with its own volume: the volume's, the snapshot's, the clone's, the"
                            + " group's, the inline volume's (${DEFAULT-VALUE})")
    private int parallel;

    @Option(
            names = "--kill",
            paramLabel = "WORD",
            description =
                    "kill the driver before, during and after each call of three more lives: a program that ends the driver,"
                            + " then each argument with one more --kill=WORD. Something else must start the driver again")
    private List<String> kill = new ArrayList<>();

    @Option(
            names = "--clean",
            description = "only tear down what an earlier run has left, also mounts that the driver has forgotten")
    private boolean cleanOnly;

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description = "where paths to mount at and the record of what was begun are (${DEFAULT-VALUE})")
    private Path state = defaultState();

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            converter = Words.Size.class,
            defaultValue = "64Mi",
            description = "of the volume (${DEFAULT-VALUE}); it is grown by as much again")
    private long size;

    @Option(names = "--block", description = "a block volume instead of a mounted one")
    private boolean block;

    @Option(names = "--fs-type", paramLabel = "TYPE", description = "such as ext4; the driver's choice by default")
    private String fsType = "";

    @Option(
            names = "--access-mode",
            paramLabel = "MODE",
            converter = Words.AccessMode.class,
            defaultValue = "SINGLE_NODE_WRITER",
            description =
                    "as in the schema (${DEFAULT-VALUE}); with one that only reads, volumes are published with readonly,"
                            + " and nothing is written")
    private Mode mode = Mode.SINGLE_NODE_WRITER;

    @Option(names = "--ephemeral", description = "an inline volume on the way, too")
    private boolean ephemeral;

    @Option(names = "--volume", paramLabel = "ID", description = "use this volume instead of creating one; it stays")
    private String volumeId = "";

    @Option(names = "--parameter", paramLabel = "KEY=VALUE", description = "for CreateVolume; may be repeated")
    private Map<String, String> parameters = new TreeMap<>();

    @Option(names = "--mutable", paramLabel = "KEY=VALUE", description = "for ControllerModifyVolume; may be repeated")
    private Map<String, String> mutable = new TreeMap<>();

    @Option(
            names = "--snapshot-parameter",
            paramLabel = "KEY=VALUE",
            description = "for CreateSnapshot; may be repeated")
    private Map<String, String> snapshotParameters = new TreeMap<>();

    @Option(
            names = "--context",
            paramLabel = "KEY=VALUE",
            description = "volume_context of --volume and of the inline volume; may be repeated")
    private Map<String, String> context = new TreeMap<>();

    @Option(
            names = "--secrets",
            paramLabel = "FILE",
            description = "lines of KEY=VALUE, sent with every call that has a field for them; never shown")
    private @Nullable Path secrets;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            converter = Words.Positive.class,
            defaultValue = "60",
            description = "how long to repeat a call that fails temporarily (${DEFAULT-VALUE})")
    private int timeout;

    @Option(
            names = "--snapshot-timeout",
            paramLabel = "SECONDS",
            converter = Words.Positive.class,
            defaultValue = "600",
            description = "how long to wait until a snapshot is ready (${DEFAULT-VALUE})")
    private int snapshotTimeout;

    @Option(
            names = "--trust-uid",
            paramLabel = "UID",
            converter = Words.Positive.class,
            description = "the driver runs as this user, neither root nor you")
    private @Nullable Integer trustedUid;

    /** @param run executes a valid command line; returns the exit code */
    LifecycleCommand(ToIntFunction<Arguments> run) {
        this.run = run;
    }

    @Override
    public Integer call() {
        if (endpoint == null && !plan && !list) {
            throw new Usage("--endpoint unix:///PATH is required");
        }
        if (parallel > 1 && !volumeId.isEmpty()) {
            throw new Usage("--parallel: each life needs its own volume, but --volume names a single one");
        }
        requireWritableReports();
        Map<String, Map<String, String>> settings = new LinkedHashMap<>();
        settings.put("--parameter", parameters);
        settings.put("--mutable", mutable);
        settings.put("--snapshot-parameter", snapshotParameters);
        settings.put("--context", context);
        settings.put("--secrets", secrets == null ? Map.of() : readSecrets(secrets));
        return run.applyAsInt(new Arguments(
                endpoint,
                nodeEndpoint,
                state.toAbsolutePath().normalize(),
                size,
                block,
                ephemeral,
                fsType,
                mode,
                volumeId,
                settings,
                Duration.ofSeconds(timeout),
                Duration.ofSeconds(snapshotTimeout),
                trustedUid == null ? -1 : trustedUid,
                plan,
                cleanOnly,
                list,
                List.copyOf(focus),
                junit,
                json,
                badge,
                refusals,
                parallel,
                List.copyOf(kill)));
    }

    /** Before the first call: a run may take long, and without its reports a pipeline has nothing of it. */
    private void requireWritableReports() {
        if (plan || list) {
            return;
        }
        if (junit != null) {
            TextFile.requireWritable("--junit", junit);
        }
        if (json != null) {
            TextFile.requireWritable("--json", json);
        }
        if (badge != null) {
            TextFile.requireWritable("--badge", badge);
            TextFile.requireWritable("--badge", Report.dataOfBadge(badge));
        }
    }

    private static Path defaultState() {
        String user = System.getProperty("user.name", "user");
        return user.equals("root")
                ? Path.of("/var/lib/volume4j-csi-lifecycle")
                : Path.of(System.getProperty("java.io.tmpdir"), "volume4j-csi-lifecycle-" + user);
    }

    /** From a file, because every user of the machine can see a command line. */
    private static Map<String, String> readSecrets(Path file) {
        Map<String, String> read = new TreeMap<>();
        for (String line : TextFile.read("--secrets", file).lines().toList()) {
            int equals = line.strip().indexOf('=');
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (equals < 1) {
                throw new Usage("--secrets: a line of " + file + " is not KEY=VALUE");
            }
            read.put(line.strip().substring(0, equals), line.strip().substring(equals + 1));
        }
        return read;
    }
}
