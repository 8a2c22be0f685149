package io.volume4j.inmemory.sim;

import io.volume4j.core.assembly.EngineSeams;
import io.volume4j.core.engine.OperationExecutor;
import io.volume4j.core.journal.JournalOptions;
import io.volume4j.core.migration.CsiMigration;
import io.volume4j.core.volumes.AttachMode;
import io.volume4j.inmemory.plugin.InMemoryStorage;
import io.volume4j.spi.plugin.PluginHost;
import io.volume4j.spi.plugin.VolumePlugin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * What a world consists of and how it goes on, as its {@linkplain SimulationBuilder builder} was told.
 *
 * @param threads what comes between the library and its threads
 */
record Makeup(
        AttachMode attachMode,
        Cast cast,
        Nodes nodes,
        Control control,
        Plugins plugins,
        Course course,
        UnaryOperator<Executor> threads,
        EngineSeams seams) {

    /**
     * Who lives in it, each in the order in which it is started.
     *
     * @param outside what works apart from the controllers, by driver
     * @param programs the host's own, by name
     */
    record Cast(
            List<String> nodes,
            int controllers,
            Map<String, Set<OutsideProcess.Role>> outside,
            Map<String, HostProgram> programs) {}

    /**
     * What nodes have and do.
     *
     * @param callLimits what the oracle holds them to
     * @param appliedLimits what they hold themselves to
     */
    record Nodes(
            boolean machines,
            boolean podRuntimes,
            JournalOptions journal,
            OperationExecutor.Limits callLimits,
            OperationExecutor.Limits appliedLimits) {}

    /**
     * What controllers do.
     *
     * @param onNode on whose machine they run, {@code ""} for none
     * @param features beside binding, by their names
     * @param attachLimits how many volumes a node can have, by plugin
     * @param kubernetesNames whether they name VolumeAttachments as Kubernetes does
     * @param visits permits single decisions, where controllers decide only at visits
     */
    record Control(
            String onNode,
            boolean binding,
            Set<String> features,
            Duration verifyEvery,
            Map<String, Integer> attachLimits,
            boolean kubernetesNames,
            Visits visits) {}

    /**
     * The storage, and how processes get there.
     *
     * @param made new instances for an incarnation of a process
     * @param host what comes between them and their process
     * @param drivers which driver answers where a plugin asks
     * @param labels whether they mount with the labels of pods
     */
    record Plugins(
            UnaryOperator<InMemoryStorage.Builder> storage,
            BiFunction<Simulation, SimProcess, List<VolumePlugin>> made,
            UnaryOperator<PluginHost> host,
            UnaryOperator<String> drivers,
            CsiMigration migration,
            boolean forgetsSecrets,
            boolean labels) {}

    /** How it goes on, as {@link SimulationBuilder} says it for each. */
    record Course(
            long seed,
            boolean judged,
            boolean steppedCalls,
            boolean explored,
            boolean restarts,
            boolean tellsOfLeaders,
            boolean stopsWhenBroken,
            long mostSteps) {}
}
