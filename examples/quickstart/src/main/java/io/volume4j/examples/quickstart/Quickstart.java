package io.volume4j.examples.quickstart;

import io.volume4j.core.codec.ManifestException;
import io.volume4j.core.volumes.MountedPod;
import io.volume4j.examples.commandline.Program;
import io.volume4j.examples.commandline.Terminal;
import io.volume4j.spi.VolumeException;
import io.volume4j.spi.host.ClusterException;
import io.volume4j.spi.model.ApiObject;
import io.volume4j.spi.model.Kind;
import io.volume4j.spi.model.Pod;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Turns a claim into files on a mounted disk, and removes it without leftovers. Prints each step when it has ended. */
@Command(
        name = "quickstart",
        mixinStandardHelpOptions = true,
        description = {
            "A complete small orchestrator for one machine. Without a command: creates what the manifests say, waits until every pod"
                    + " has its volumes, shows that pods share them, takes everything down, and proves that nothing is left.",
            "'quickstart shell' keeps it running and reads commands."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything went well and nothing is left",
            "1:not so",
            "2:the command line or a manifest is wrong",
            "130:stopped by Ctrl-C, everything was taken down"
        })
public final class Quickstart implements Callable<Integer> {
    private static final Duration STOPPING = Duration.ofSeconds(70);
    private static final int STOPPED = 130;

    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final StopSignal stop;
    private final Journey journey;

    @Mixin
    private Options options = new Options();

    private Quickstart(InputStream in, PrintStream out, PrintStream err, StopSignal stop) {
        this.in = in;
        this.out = out;
        this.err = err;
        this.stop = stop;
        this.journey = new Journey(out);
    }

    public static void main(String[] words) {
        StopSignal stop = new StopSignal();
        Thread main = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    stop.ask();
                    stop.holdBack(main, STOPPING);
                },
                "quickstart-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        int code = run(words, System.in, System.out, System.err, stop);
        System.out.flush();
        // Ends the hook as well: after a normal end of the hook the signal would determine the exit code.
        Runtime.getRuntime().halt(code);
    }

    /** Runs the program without ending the process. Returns the exit code. */
    static int run(String[] words, InputStream in, PrintStream out, PrintStream err, StopSignal stop) {
        return Program.of(new Quickstart(in, out, err, stop))
                .subcommands(new SavedCommands.Get(out), new SavedCommands.Describe(out))
                .failure(ManifestException.class, Program.WRONG_USAGE)
                .failure(VolumeException.class, 1)
                .failure(ClusterException.class, 1)
                .failure(UncheckedIOException.class, 1)
                .run(words, out, err);
    }

    @Override
    public Integer call() {
        return inSession(this::show);
    }

    @Command(
            name = "shell",
            mixinStandardHelpOptions = true,
            description =
                    "Keeps the orchestrator running and reads commands, one a line; 'help' lists them. At the end everything is"
                            + " taken down, unless it ends with 'exit --keep'.")
    int shell(@Mixin Options chosen) {
        options = chosen;
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        return inSession((session, manifests) ->
                new Shell(session, lines, in == System.in && Terminal.isInput(), out, err, stop).run());
    }

    /** The work while the orchestrator runs. Returns whether everything must be torn down afterwards. */
    private interface Work {
        boolean in(Session session, List<ApiObject> manifests);
    }

    private int inSession(Work work) {
        try (Machine machine = Machine.choose(options)) {
            Configs early = new Configs(InstantSource.system());
            // Read before the orchestrator starts, so that errors in manifests appear at once.
            ManifestFiles.read(options.files(), early::take);
            journey.say("volume4j quickstart on " + machine.name());
            journey.say("root " + options.root());
            boolean left;
            boolean stopped = false;
            try (Session session = new Session(options, machine, journey, stop)) {
                List<ApiObject> manifests = ManifestFiles.read(options.files(), session.configs()::take);
                boolean takeDown = true;
                try {
                    session.create(manifests);
                    takeDown = work.in(session, manifests);
                } catch (StopSignal.Stopped signal) {
                    stopped = true;
                } finally {
                    left = takeDown && !session.down();
                }
                if (!takeDown) {
                    journey.say("everything stays; go on with: quickstart shell --root " + options.root());
                    return 0;
                }
            }
            boolean clean = LeakCheck.proveNothingIsLeft(machine.backend(), options.root(), journey) && !left;
            if (stopped) {
                err.println(
                        clean
                                ? "stopped: everything was taken down again"
                                : "stopped: not everything could be taken down");
                return STOPPED;
            }
            return clean ? 0 : 1;
        } catch (StopSignal.Stopped early) {
            err.println("stopped before anything was set up, or while it was taken down");
            return STOPPED;
        }
    }

    private boolean show(Session session, List<ApiObject> manifests) {
        Map<Pod, MountedPod> mounted = new LinkedHashMap<>();
        for (Pod pod : session.podsInOrder(manifests)) {
            mounted.put(pod, session.awaitMounted(pod));
        }
        session.awaitAll();
        InstantSource clock = InstantSource.system();
        for (Kind kind : List.of(Kind.PERSISTENT_VOLUME, Kind.PERSISTENT_VOLUME_CLAIM, Kind.VOLUME_SNAPSHOT)) {
            List<ApiObject> objects = session.cluster().all(kind, ApiObject.class);
            if (!objects.isEmpty()) {
                journey.table(Kinds.title(kind), Listings.table(kind, objects, clock.instant()));
            }
        }
        journey.say("");
        session.share(mounted);
        session.requireDrivers();
        return true;
    }
}
