package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.examples.commandline.Program;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes a volume of any CSI driver through its whole life, shows every call, and proves that nothing is left. Ends with 0 when
 * everything went well, with 1 when not, with 2 when it was asked for something wrong, with 130 when it was stopped.
 */
public final class CsiLifecycle {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration CLEAN_UP = Duration.ofMinutes(2);

    /** Has its own words for what the console tells better; held, or its level would be forgotten. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private final Arguments arguments;
    private final Surroundings surroundings;
    private final Console console;

    private CsiLifecycle(Arguments arguments, Surroundings surroundings) {
        this.arguments = arguments;
        this.surroundings = surroundings;
        this.console = new Console(surroundings.out, surroundings.clock);
    }

    /**
     * What a run takes from outside.
     *
     * @param alsoTold is told of each call besides the console
     * @param run distinguishes this run's names from those of others
     * @param firstPause before a failed call is repeated; doubled each time
     */
    record Surroundings(
            PrintStream out,
            PrintStream err,
            InstantSource clock,
            StopSignal stop,
            RpcObserver alsoTold,
            String run,
            Duration firstPause) {}

    public static void main(String[] words) {
        GRPC.setLevel(Level.OFF);
        StopSignal stop = new StopSignal();
        Thread main = Thread.currentThread();
        Thread hook = new Thread(
                () -> {
                    stop.ask();
                    stop.holdBack(main, CLEAN_UP);
                },
                "csi-lifecycle-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        String run = "%06x".formatted(new SecureRandom().nextInt(1 << 24));
        int code = run(
                words,
                new Surroundings(
                        System.out, System.err, InstantSource.system(), stop, RpcObserver.NONE, run, FIRST_PAUSE));
        System.out.flush();
        // Ends the hook as well: one that ended by itself would let the signal say how the process ended.
        Runtime.getRuntime().halt(code);
    }

    /** The program without its process; the exit code. */
    static int run(String[] words, Surroundings surroundings) {
        return Program.of(new LifecycleCommand(arguments -> run(arguments, surroundings)))
                .run(words, surroundings.out, surroundings.err);
    }

    private static int run(Arguments arguments, Surroundings surroundings) {
        try {
            return new CsiLifecycle(arguments, surroundings).run();
        } catch (CsiException e) {
            surroundings.err.println("error: " + e.getMessage());
            surroundings.err.println("       " + Hints.of(e));
            return 1;
        } catch (Failed e) {
            surroundings.err.println("error: " + e.getMessage());
            if (!e.advice().isEmpty()) {
                surroundings.err.println("       " + e.advice());
            }
            return 1;
        } catch (UncheckedIOException e) {
            surroundings.err.println("error: on this machine: " + e.getMessage());
            return 1;
        } catch (StopSignal.Stopped stopped) {
            surroundings.err.println("stopped");
            return 130;
        }
    }

    private int run() {
        if (arguments.list()) {
            surroundings.out.print(Plan.list(Plan.of(Abilities.everything(), arguments)));
            return 0;
        }
        if (arguments.endpoint() == null) {
            console.say("the calls for a driver that can do everything; with --endpoint, for yours");
            console.say(Plan.text(Plan.of(Abilities.everything(), arguments)));
            return 0;
        }
        try (Driver driver = new Driver(
                arguments, console, this::tell, surroundings.clock, surroundings.stop, surroundings.firstPause)) {
            return run(driver);
        }
    }

    /** The console measures; other listeners come after it at the beginning and before it at the end. */
    private RpcObserver.Span tell(Rpc rpc, Supplier<String> request) {
        RpcObserver.Span shown = console.begin(rpc, request);
        RpcObserver.Span told = surroundings.alsoTold.begin(rpc, request);
        return failure -> {
            shown.end(failure);
            told.end(failure);
        };
    }

    private int run(Driver driver) {
        Instant begun = surroundings.clock.instant();
        console.say("csi-lifecycle against " + driver.controller().describe());
        console.heading("who are you");
        awaitReady(driver);
        Abilities asked = new Abilities(
                driver.call("", context -> driver.controller().capabilities(context)),
                driver.call("", context -> driver.node().capabilities(context)));
        NodeGetInfoResponse node = asked.hasNode() ? info(driver, asked) : null;
        Abilities can = node == null ? asked.withoutNodeInfo() : asked.withMostOnNode(node.getMaxVolumesPerNode());
        introduce(can, node);
        List<Plan.Part> plan = Plan.of(can, arguments);
        if (arguments.plan()) {
            console.say("\nplan; nothing of it was sent");
            console.say(Plan.text(plan));
            return 0;
        }
        try (Ledger ledger = Ledger.open(arguments.state())) {
            boolean passed;
            Report report = new Report();
            try {
                passed = run(driver, can, node, plan, ledger, report);
            } catch (StopSignal.Stopped stopped) {
                removeWork(ledger.folder().resolve("work"));
                console.say("");
                console.say("stopped: " + console.summary());
                tellWhatIsLeft(ledger);
                MountTable.below(ledger.folder().resolve("work"))
                        .forEach(mount -> console.detail("LEAKED: mounted at " + mount.at()));
                throw stopped;
            } finally {
                report.write(
                        arguments,
                        can.controllerSide().name() + " " + can.controllerSide().vendorVersion());
            }
            Duration took = Duration.between(begun, surroundings.clock.instant());
            console.say("");
            console.say((passed ? "passed" : "FAILED") + " in " + Console.millis(took) + ": " + console.summary());
            return passed ? 0 : 1;
        }
    }

    private void awaitReady(Driver driver) {
        Instant until = surroundings.clock.instant().plus(arguments.timeout());
        while (true) {
            ProbeResponse reply = driver.call(
                    "", context -> driver.controller().identity().probe(ProbeRequest.getDefaultInstance(), context));
            if (!reply.hasReady() || reply.getReady().getValue()) {
                return;
            }
            console.result("not ready yet");
            if (surroundings.clock.instant().isAfter(until)) {
                throw new Failed("the driver does not become ready", "");
            }
            driver.pause();
        }
    }

    /** Drivers without an attach step and without topology need not have it. */
    private static @Nullable NodeGetInfoResponse info(Driver driver, Abilities can) {
        try {
            return driver.call(
                    "", context -> driver.node().node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance(), context));
        } catch (CsiException e) {
            if (can.attach() || !e.answered(Code.UNIMPLEMENTED)) {
                throw e;
            }
            return null;
        }
    }

    private void introduce(Abilities can, @Nullable NodeGetInfoResponse node) {
        console.detail("%-10s %s %s"
                .formatted(
                        "driver",
                        can.controllerSide().name(),
                        can.controllerSide().vendorVersion())
                .stripTrailing());
        if (node != null) {
            Map<String, String> place =
                    new TreeMap<>(node.getAccessibleTopology().getSegmentsMap());
            console.detail("%-10s %s%s%s"
                    .formatted(
                            "node",
                            node.getNodeId(),
                            place.isEmpty() ? "" : " in " + place,
                            can.mostOnNode() == 0
                                    ? ""
                                    : ", at most "
                                            + Console.count(
                                                    Math.toIntExact(Math.min(can.mostOnNode(), Integer.MAX_VALUE)),
                                                    "volume")));
        }
        console.detail("%-10s %s".formatted("can", String.join(", ", can.words())));
    }

    private boolean run(
            Driver driver,
            Abilities can,
            @Nullable NodeGetInfoResponse node,
            List<Plan.Part> plan,
            Ledger ledger,
            Report report) {
        Path work = ledger.folder().resolve("work");
        Undo undo = new Undo(driver, ledger, new Requests(arguments), console, arguments.cleanOnly());
        LeakCheck leaks = new LeakCheck(driver, can, new Requests(arguments), console);
        boolean passed = true;
        if (!ledger.isEmpty()) {
            console.heading("an earlier run was cut off: taking down what it left");
            passed = undone(undo);
        }
        removeWork(work);
        Set<String> before = new TreeSet<>();
        Set<String> volumes = new TreeSet<>();
        Set<String> snapshots = new TreeSet<>();
        if (passed && !arguments.cleanOnly()) {
            Journey journey = new Journey(
                    driver,
                    can,
                    arguments,
                    ledger,
                    undo,
                    console,
                    surroundings.stop,
                    surroundings.clock,
                    surroundings.run,
                    work,
                    node);
            passed = live(journey, plan, undo, ledger, report);
            before = journey.volumesBefore();
            volumes = journey.volumesMade();
            snapshots = journey.snapshotsMade();
            removeWork(work);
        }
        console.heading("leak check");
        Instant checked = surroundings.clock.instant();
        List<String> left;
        try {
            left = leaks.leaks(before, volumes, snapshots, work);
        } catch (CsiException e) {
            report.add(leakCheck(checked, String.valueOf(e.getMessage())));
            throw e;
        }
        left.forEach(each -> console.detail("LEAKED: " + each));
        tellWhatIsLeft(ledger);
        if (ledger.isEmpty() && left.isEmpty()) {
            console.detail("nothing is left");
        }
        boolean clean = left.isEmpty() && ledger.isEmpty() && ledger.unsaved().isEmpty();
        String why = left.isEmpty() ? "not everything could be undone" : String.join("; ", left);
        report.add(leakCheck(checked, clean ? "" : why));
        return passed && clean;
    }

    private Report.Case leakCheck(Instant begun, String failure) {
        return new Report.Case(
                Report.LEAK_CHECK,
                Report.LEAK_RULE,
                failure.isEmpty() ? Report.Outcome.PASSED : Report.Outcome.FAILED,
                Duration.between(begun, surroundings.clock.instant()),
                failure);
    }

    private void tellWhatIsLeft(Ledger ledger) {
        if (!ledger.unsaved().isEmpty()) {
            console.detail(ledger.unsaved());
            console.detail("the next run may look again for what is gone already; that does no harm");
        }
        if (!ledger.isEmpty()) {
            console.detail("not everything could be undone: run again with --state " + arguments.state());
        }
    }

    /** The whole life; whatever cuts it short, all is taken down again. */
    private boolean live(Journey journey, List<Plan.Part> plan, Undo undo, Ledger ledger, Report report) {
        try {
            return journey.take(plan, report);
        } catch (CsiException e) {
            console.say("\nFAILED: " + e.getMessage());
            console.say("        " + Hints.of(e));
        } catch (Failed e) {
            console.say("\nFAILED: " + e.getMessage());
            if (!e.advice().isEmpty()) {
                console.say("        " + e.advice());
            }
        } catch (UncheckedIOException e) {
            console.say("\nFAILED: on this machine: " + e.getMessage());
        } catch (StopSignal.Stopped stopped) {
            console.heading("stopped: taking everything down");
            surroundings.stop.again();
            undone(undo);
            throw stopped;
        }
        if (!ledger.isEmpty()) {
            console.heading("taking down what was begun");
            undone(undo);
        }
        return false;
    }

    private boolean undone(Undo undo) {
        List<String> failures = undo.everything();
        failures.forEach(failure -> console.detail("not undone: " + failure));
        return failures.isEmpty();
    }

    /** Only what is empty: whatever is below it may be a volume's. */
    private static void removeWork(Path work) {
        try {
            Files.deleteIfExists(work);
        } catch (IOException somethingIsInIt) {
            // the leak check names it
        }
    }
}
