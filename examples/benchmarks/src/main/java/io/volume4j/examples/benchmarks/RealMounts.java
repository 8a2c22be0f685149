package io.volume4j.examples.benchmarks;

import io.volume4j.core.linux.LinuxMountBackend;
import io.volume4j.examples.benchmarks.measure.Benchmark;
import io.volume4j.examples.benchmarks.measure.Figures;
import io.volume4j.examples.benchmarks.measure.Growth;
import io.volume4j.examples.benchmarks.measure.Run;
import io.volume4j.examples.benchmarks.measure.Table;
import io.volume4j.examples.benchmarks.world.BareMounts;
import io.volume4j.examples.benchmarks.world.BareProgram;
import io.volume4j.examples.benchmarks.world.MountPlaces;
import io.volume4j.spi.mount.BindOptions;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.mount.UnmountMode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The cost of a bind mount with the backend, compared with bare system calls and with started programs. */
final class RealMounts implements Benchmark {
    private static final int PAIRS = 20;
    private static final int FORKED_PAIRS = 2;

    @Override
    public String name() {
        return "real-mounts";
    }

    @Override
    public String measures() {
        return "bind mount+unmount through the backend, by bare system calls, and by programs that are started for it";
    }

    @Override
    public String warmUp() {
        return "10,000 pairs each way (quick: 5,000), not counted; the ways take turns in each round";
    }

    private interface Round {
        void run() throws IOException, InterruptedException;
    }

    @Override
    public void run(Run run) throws Exception {
        try (LinuxMountBackend machine = LinuxMountBackend.create()) {
            if (!machine.abilities().mayMount()) {
                throw new Unable(machine.abilities().reason());
            }
            try (MountPlaces places = new MountPlaces(machine, run.scratch())) {
                rates(run, machine, places);
                beside(run, machine, places);
            }
        }
    }

    private static void rates(Run run, LinuxMountBackend machine, MountPlaces places) throws Exception {
        RootedPath target = places.directory("target");
        BareMounts bare = new BareMounts(
                target.root(), places.source().absolute(), target.relative().toString());
        List<Round> ways =
                List.of(bare::bindAndUnmount, bare::safelyBindAndUnmount, () -> pair(machine, places.source(), target));
        List<Double> byCalls = new ArrayList<>();
        List<Double> bySafeCalls = new ArrayList<>();
        List<Double> byBackend = new ArrayList<>();
        List<List<Double>> turns = List.of(byCalls, bySafeCalls, byBackend);
        List<Programs> started = programs(places.source(), target);
        int warmUp = run.size(10_000, 5_000) / PAIRS;
        for (int i = 0; i < warmUp; i++) {
            for (Round way : ways) {
                nanos(PAIRS, way);
            }
        }
        int rounds = run.size(300, 60);
        for (int i = 0; i < rounds; i++) {
            // Each is equally often at each position: after the programs the caches are cold.
            for (int turn = 0; turn < ways.size(); turn++) {
                int way = (i + turn) % ways.size();
                turns.get(way).add(nanos(PAIRS, ways.get(way)));
            }
            for (Programs way : started) {
                way.times().add(nanos(FORKED_PAIRS, way.both()));
            }
        }
        Table table = new Table("bind + unmount", "median", "fastest round", "pairs/s", "to the backend");
        row(table, "bare mount(2) and umount2(2)", byCalls, byBackend);
        row(table, "bare calls of a safe bind", bySafeCalls, byBackend);
        row(table, "the backend", byBackend, byBackend);
        for (Programs way : started) {
            row(table, way.what(), way.times(), byBackend);
        }
        run.print(table);
        double spawned = median(started.get(0).times());
        double nothing = median(started.get(1).times());
        double java = median(started.get(2).times());
        double javaNothing = median(started.get(3).times());
        run.note("rate of the backend to the bare calls of a safe bind: " + rate(bySafeCalls, byBackend));
        run.note("rate of the backend to mount(2) and umount2(2) by path: " + rate(byCalls, byBackend));
        run.note("posix_spawn is the cheapest way in which a program of any language starts another. Of its "
                + Figures.time(spawned) + " two programs that do");
        run.note("nothing take " + Figures.time(nothing) + "; the rest is "
                + Figures.ratio((spawned - nothing) / median(byBackend))
                + " the time of the backend. ProcessBuilder takes " + Figures.time(java) + ", and "
                + Figures.time(javaNothing)
                + " for nothing.");
        run.compared("bind + unmount", median(byBackend), "bare calls by path", median(byCalls));
        run.compared("bind + unmount", median(byBackend), "bare calls of a safe bind", median(bySafeCalls));
        run.compared("bind + unmount", median(byBackend), "mount and umount by posix_spawn", spawned);
        run.compared("bind + unmount", median(byBackend), "mount and umount by ProcessBuilder", java);
    }

    /** @param both starts two programs, one after the other */
    private record Programs(String what, Round both, List<Double> times) {}

    private static List<Programs> programs(RootedPath source, RootedPath target) {
        String[] mount = {
            "mount", "--bind", source.absolute().toString(), target.absolute().toString()
        };
        String[] umount = {"umount", target.absolute().toString()};
        BareProgram bareMount = new BareProgram(mount);
        BareProgram bareUmount = new BareProgram(umount);
        BareProgram bareTrue = new BareProgram("true");
        return List.of(
                new Programs(
                        "mount and umount, by posix_spawn",
                        () -> {
                            bareMount.run();
                            bareUmount.run();
                        },
                        new ArrayList<>()),
                new Programs(
                        "true and true, by posix_spawn",
                        () -> {
                            bareTrue.run();
                            bareTrue.run();
                        },
                        new ArrayList<>()),
                new Programs(
                        "mount and umount, by ProcessBuilder",
                        () -> {
                            fork(mount);
                            fork(umount);
                        },
                        new ArrayList<>()),
                new Programs(
                        "true and true, by ProcessBuilder",
                        () -> {
                            fork("true");
                            fork("true");
                        },
                        new ArrayList<>()));
    }

    /**
     * As the median of the ratios of all rounds, in which the ways had the same neighbours; and from the fastest rounds, which no
     * other process disturbed.
     */
    private static String rate(List<Double> bare, List<Double> backend) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < bare.size(); i++) {
            ratios.add(bare.get(i) / backend.get(i));
        }
        return Math.round(100 * median(ratios)) + " % (median of rounds), "
                + Math.round(100 * Collections.min(bare) / Collections.min(backend)) + " % (fastest rounds)";
    }

    private static void beside(Run run, LinuxMountBackend machine, MountPlaces places) throws Exception {
        Table table = new Table("bind + unmount beside", "median", "fastest round");
        Growth growth = Growth.ofTime("bind + unmount", "mounts beside it");
        RootedPath target = places.directory("target");
        for (int mounts : run.sizes(10_000, 10_000)) {
            places.fill(mounts);
            List<Double> times = new ArrayList<>();
            int rounds = run.size(300, 60);
            for (int i = -rounds / 3; i < rounds; i++) {
                double time = nanos(PAIRS, () -> pair(machine, places.source(), target));
                if (i >= 0) {
                    times.add(time);
                }
            }
            growth.at(mounts, median(times));
            table.row(
                    Figures.count(mounts) + " mounts",
                    Figures.time(median(times)),
                    Figures.time(Collections.min(times)));
        }
        run.print(table);
        run.growth(growth);
    }

    private static void row(Table table, String what, List<Double> times, List<Double> backend) {
        table.row(
                what,
                Figures.time(median(times)),
                Figures.time(Collections.min(times)),
                Figures.rate(1e9 / median(times)),
                Figures.ratio(median(times) / median(backend)));
    }

    private static void pair(LinuxMountBackend machine, RootedPath source, RootedPath target) {
        machine.bind(source, target, BindOptions.readWrite());
        machine.unmount(target, UnmountMode.NORMAL);
    }

    private static double nanos(int pairs, Round round) throws IOException, InterruptedException {
        long began = System.nanoTime();
        for (int i = 0; i < pairs; i++) {
            round.run();
        }
        return (double) (System.nanoTime() - began) / pairs;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static void fork(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).inheritIO().start();
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            throw new IllegalStateException(command[0] + " did not work");
        }
    }
}
