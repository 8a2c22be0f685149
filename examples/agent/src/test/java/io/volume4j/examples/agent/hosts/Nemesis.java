package io.volume4j.examples.agent.hosts;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** Does one harm at a time, and undoes it. */
final class Nemesis {
    private final Hosts hosts;
    private final Workload workload;
    private final RandomGenerator random;
    private Harm now = new Harm("nothing", () -> {}, () -> {});

    private interface Act {
        void run() throws IOException, InterruptedException;
    }

    private record Harm(String text, Act begin, Act end) {}

    Nemesis(Hosts hosts, Workload workload, RandomGenerator random) {
        this.hosts = hosts;
        this.workload = workload;
        this.random = random;
    }

    void harm() throws IOException, InterruptedException {
        heal();
        now = next();
        System.out.println("nemesis: " + now.text);
        now.begin.run();
    }

    void heal() throws IOException, InterruptedException {
        now.end.run();
        System.out.println("nemesis: no more " + now.text);
        now = new Harm("nothing", () -> {}, () -> {});
    }

    private Harm next() {
        Host node = any(hosts.nodes);
        Host member = any(hosts.members);
        Host controller = any(hosts.controllers);
        return switch (random.nextInt(15)) {
            case 0 -> killed(node);
            case 1 -> killed(controller);
            case 2 -> killed(member);
            case 3, 4 -> new Harm("cut of " + node.name, () -> node.cut(true), () -> join(node));
            case 5 -> new Harm("cut of " + member.name, () -> member.cut(true), () -> member.cut(false));
            case 6 ->
                new Harm(
                        "cut from " + node.name + " to " + member.name + ", one way",
                        () -> node.cutTo(member, true),
                        () -> node.cutTo(member, false));
            case 7 -> paused(node);
            case 8 -> slow(node);
            case 9 -> slow(random.nextBoolean() ? controller : member);
            case 10 ->
                new Harm("full disk of " + node.name, () -> hosts.fill(node, true), () -> hosts.fill(node, false));
            case 11, 12 -> stepped(random.nextInt(3) == 0 ? controller : node);
            case 13 -> steppedApart(random.nextInt(3) == 0 ? controller : node);
            default -> paused(random.nextBoolean() ? controller : member);
        };
    }

    private void join(Host host) throws IOException, InterruptedException {
        workload.stopDeleted(host);
        host.cut(false);
    }

    private Harm stepped(Host host) {
        Duration by = step();
        return new Harm(
                "step of the clock of " + host.name + " by " + by,
                () -> host.stepClock(by),
                () -> host.stepClock(Duration.ZERO));
    }

    /** A lease that was renewed last by one wall clock ends by another one. */
    private Harm steppedApart(Host host) {
        Duration by = step();
        return new Harm(
                "cut of " + host.name + ", and step of its clock by " + by,
                () -> {
                    host.cut(true);
                    host.stepClock(by);
                },
                () -> {
                    join(host);
                    host.stepClock(Duration.ZERO);
                });
    }

    /** Minutes or hours, forward or back. */
    private Duration step() {
        Duration by = random.nextBoolean()
                ? Duration.ofMinutes(random.nextInt(1, 60))
                : Duration.ofHours(random.nextInt(1, 24));
        return random.nextBoolean() ? by : by.negated();
    }

    private static Harm killed(Host host) {
        return new Harm("kill of " + host.name, () -> host.signalProgram("KILL"), () -> {});
    }

    private static Harm paused(Host host) {
        return new Harm("pause of " + host.name, () -> host.signalProgram("STOP"), () -> host.signalProgram("CONT"));
    }

    private static Harm slow(Host host) {
        return new Harm("slow link of " + host.name, () -> host.slow(true), () -> host.slow(false));
    }

    private Host any(List<Host> among) {
        return among.get(random.nextInt(among.size()));
    }

    static void pause(int seconds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
