package io.volume4j.examples.csilifecycle;

import io.grpc.Status.Code;
import io.volume4j.csi.CsiEndpoint;
import io.volume4j.csi.internal.client.CsiException;
import io.volume4j.csi.internal.client.RpcObserver;
import io.volume4j.csi.internal.proto.NodeGetInfoRequest;
import io.volume4j.csi.internal.proto.NodeGetInfoResponse;
import io.volume4j.csi.internal.proto.ProbeRequest;
import io.volume4j.csi.internal.proto.ProbeResponse;
import io.volume4j.csi.internal.rpc.Rpc;
import io.volume4j.examples.commandline.FileReason;
import io.volume4j.examples.commandline.Program;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes a volume of any CSI driver through its whole life, shows every call, and checks for leaks. Exit codes: 0 for success,
 * 1 for a failure, 2 for wrong usage, 130 after a stop by the user.
 */
public final class CsiLifecycle {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    /** The directory of the ledgers of concurrent lives. */
    private static final String LIVES = "lives";

    private static final Duration CLEAN_UP = Duration.ofMinutes(2);

    /**
     * Its messages repeat what the console shows better; referenced here, because a logger without a reference loses its
     * level.
     */
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
     * The environment of a run.
     *
     * @param alsoTold gets each call in addition to the console
     * @param run distinguishes this run's names from those of others
     * @param firstPause before the first repeat of a failed call; doubled each time
     * @param killer kills the driver instead of the program of the command line; null for that program
     */
    record Surroundings(
            PrintStream out,
            PrintStream err,
            InstantSource clock,
            StopSignal stop,
            RpcObserver alsoTold,
            String run,
            Duration firstPause,
            @Nullable Killer killer) {}

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
                        System.out,
                        System.err,
                        InstantSource.system(),
                        stop,
                        RpcObserver.NONE,
                        run,
                        FIRST_PAUSE,
                        null));
        System.out.flush();
        // Ends the hook too: otherwise the signal would determine the exit code of the process.
        Runtime.getRuntime().halt(code);
    }

    /** The program without its process; returns the exit code. */
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
            surroundings.err.println("error: on this machine: " + FileReason.told(e));
            return 1;
        } catch (StopSignal.Stopped stopped) {
            surroundings.err.println("stopped");
            return 130;
        }
    }

    private int run() {
        if (arguments.list()) {
            List<Plan.Part> plan = Plan.of(Abilities.everything(), arguments);
            surroundings.out.print(
                    PlanText.of(plan, PlannedLife.of(plan, arguments, 1)).list());
            return 0;
        }
        if (arguments.endpoint() == null) {
            console.say("the calls for a driver that can do everything; with --endpoint, for yours");
            List<Plan.Part> plan = Plan.of(Abilities.everything(), arguments);
            console.say(PlanText.of(plan, PlannedLife.of(plan, arguments, 1)).numbered());
            return 0;
        }
        try (Driver driver = driver(console, surroundings.stop)) {
            return run(driver);
        }
    }

    private Driver driver(Console shown, StopSignal stop) {
        return new Driver(
                arguments,
                shown,
                (rpc, request) -> tell(shown, rpc, request),
                surroundings.clock,
                stop,
                surroundings.firstPause,
                killer(stop));
    }

    private Killer killer(StopSignal stop) {
        Killer given = surroundings.killer;
        if (given != null) {
            return given;
        }
        List<CsiEndpoint> endpoints = Stream.of(arguments.endpoint(), arguments.nodeEndpoint())
                .filter(Objects::nonNull)
                .toList();
        return new CommandKiller(arguments.kill(), endpoints, surroundings.clock, arguments.timeout(), stop);
    }

    /** The console is first at the begin and at the end of a call. */
    private RpcObserver.Span tell(Console console, Rpc rpc, Supplier<String> request) {
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
        int atOnce = atOnce(can);
        List<PlannedLife> lives = PlannedLife.of(plan, arguments, atOnce);
        if (arguments.plan()) {
            console.say("\nplan; nothing of it was sent");
            console.say(PlanText.of(plan, lives).numbered());
            return 0;
        }
        try (Ledger ledger = Ledger.open(arguments.state())) {
            boolean passed;
            Report report = new Report();
            try {
                passed = run(driver, can, node, plan, lives, atOnce, ledger, report);
            } catch (StopSignal.Stopped stopped) {
                console.say("");
                console.say("stopped: " + console.summary());
                removeWork(ledger.folder().resolve("work"));
                tellWhatIsLeft(ledger);
                MountTable.below(ledger.folder()).forEach(mount -> console.detail("LEAKED: mounted at " + mount.at()));
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

    /** Drivers without an attach step and without topology need not have the call. */
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

    /** Most concurrent lives: each may have a volume and its copy on the node. */
    private int atOnce(Abilities can) {
        long room = can.mostOnNode() == 0 ? Integer.MAX_VALUE : Math.max(1, can.mostOnNode() / 2);
        if (room < arguments.parallel()) {
            console.detail("at most " + room + (room == 1 ? " life" : " lives") + " at once: the node takes "
                    + Console.count((int) can.mostOnNode(), "volume"));
        }
        return (int) Math.min(room, arguments.parallel());
    }

    private boolean run(
            Driver driver,
            Abilities can,
            @Nullable NodeGetInfoResponse node,
            List<Plan.Part> plan,
            List<PlannedLife> lives,
            int atOnce,
            Ledger ledger,
            Report report) {
        LeakCheck leaks = new LeakCheck(driver, can, new Requests(arguments), console);
        List<Life> lived = new ArrayList<>();
        try {
            Life main = new Life(arguments, surroundings, can, node, new PlannedLife("", List.of()), ledger);
            lived.add(main);
            boolean passed = main.undoneFromBefore(driver, console);
            for (String id : earlierLives(ledger)) {
                Life earlier = life(can, node, new PlannedLife(id, List.of()), ledger);
                passed &= earlier.undoneFromBefore(driver, console);
                passed &= earlier.isClean();
                if (earlier.isClean()) {
                    earlier.close();
                } else {
                    lived.add(earlier);
                }
            }
            if (passed && !arguments.cleanOnly()) {
                List<Life> begun = new ArrayList<>();
                for (PlannedLife each : lives) {
                    begun.add(
                            each.id().isEmpty()
                                    ? new Life(arguments, surroundings, can, node, each, ledger)
                                    : life(can, node, each, ledger));
                }
                lived.addAll(begun);
                try {
                    passed = live(begun, driver, atOnce);
                } finally {
                    report.addAll(
                            PlanText.of(plan, lives).ids(),
                            begun.stream().map(Life::report).toList());
                }
            }
            console.heading("leak check");
            Instant checked = surroundings.clock.instant();
            List<String> left;
            try {
                left = leaks.leaks(
                        Life.before(lived),
                        Life.all(lived, Life::volumes),
                        Life.all(lived, Life::snapshots),
                        driver.createdAgain() || lived.stream().anyMatch(Life::createdAgain),
                        Life.all(lived, life -> Set.of(life.work())));
            } catch (CsiException e) {
                report.add(leakCheck(checked, String.valueOf(e.getMessage())));
                throw e;
            }
            left.forEach(each -> console.detail("LEAKED: " + each));
            lived.stream().map(Life::ledger).distinct().forEach(this::tellWhatIsLeft);
            boolean undone = lived.stream().allMatch(Life::isClean);
            if (undone && left.isEmpty()) {
                console.detail("nothing is left");
            }
            String why = left.isEmpty() ? "not everything could be undone" : String.join("; ", left);
            report.add(leakCheck(checked, undone && left.isEmpty() ? "" : why));
            return passed && undone && left.isEmpty();
        } finally {
            lived.stream().skip(1).forEach(Life::close);
        }
    }

    private Life life(Abilities can, @Nullable NodeGetInfoResponse node, PlannedLife life, Ledger main) {
        return new Life(
                arguments,
                surroundings,
                can,
                node,
                life,
                Ledger.open(main.folder().resolve(LIVES).resolve(life.id())));
    }

    /** The lives whose ledgers an earlier run has left. */
    private static List<String> earlierLives(Ledger ledger) {
        Path lives = ledger.folder().resolve(LIVES);
        if (!Files.isDirectory(lives)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(lives)) {
            return all.map(life -> life.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lives that kill the driver run last, and alone. */
    private boolean live(List<Life> lives, Driver driver, int atOnce) {
        List<Life> together = lives.stream().filter(life -> !life.isKilled()).toList();
        boolean passed = true;
        if (together.size() == 1) {
            passed = together.get(0).live(driver, console, surroundings.stop);
        } else if (!together.isEmpty()) {
            passed = liveTogether(together, atOnce);
        }
        for (Life life : lives) {
            if (life.isKilled()) {
                passed &= life.live(driver, console, surroundings.stop);
            }
        }
        return passed;
    }

    /**
     * Each life has its own connection to the driver, and its own console, which is shown at its end, in the order of the
     * lives.
     */
    private boolean liveTogether(List<Life> lives, int atOnce) {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce);
        try {
            List<FutureTask<Boolean>> running = new ArrayList<>();
            List<Console> consoles = new ArrayList<>();
            List<ByteArrayOutputStream> texts = new ArrayList<>();
            for (Life life : lives) {
                ByteArrayOutputStream text = new ByteArrayOutputStream();
                Console own = new Console(new PrintStream(text, false, StandardCharsets.UTF_8), surroundings.clock);
                StopSignal stop = surroundings.stop.part();
                FutureTask<Boolean> task = new FutureTask<>(() -> {
                    try (Driver driver = driver(own, stop)) {
                        return life.live(driver, own, stop);
                    }
                });
                running.add(task);
                consoles.add(own);
                texts.add(text);
                threads.execute(task);
            }
            boolean passed = true;
            RuntimeException failure = null;
            for (int number = 0; number < lives.size(); number++) {
                try {
                    passed &= running.get(number).get();
                } catch (ExecutionException e) {
                    failure = e.getCause() instanceof RuntimeException cause
                            ? cause
                            : new IllegalStateException("a life has broken off", e.getCause());
                }
                console.add(consoles.get(number));
                console.heading("life of the " + lives.get(number).id());
                console.say(texts.get(number).toString(StandardCharsets.UTF_8).strip());
            }
            if (failure != null) {
                throw failure;
            }
            return passed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StopSignal.Stopped();
        } finally {
            threads.shutdown();
        }
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

    /** Deletes only an empty directory: its content may belong to a volume. */
    static void removeWork(Path work) {
        try {
            Files.deleteIfExists(work);
        } catch (IOException somethingIsInIt) {
            // the leak check reports it
        }
    }
}
