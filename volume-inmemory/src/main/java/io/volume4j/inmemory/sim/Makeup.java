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
 * The configuration of a world from its {@linkplain SimulationBuilder builder}.
 *
 * @param threads wraps the library's threads
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
     * The processes, each group in its start order.
     *
     * @param outside processes separate from the controllers, by driver
     * @param programs of the host, by name
     */
    record Cast(
            List<String> nodes,
            int controllers,
            Map<String, Set<OutsideProcess.Role>> outside,
            Map<String, HostProgram> programs) {}

    /**
     * The configuration of nodes.
     *
     * @param callLimits the limits that the oracle checks
     * @param appliedLimits the limits that the nodes apply
     */
    record Nodes(
            boolean machines,
            boolean podRuntimes,
            JournalOptions journal,
            OperationExecutor.Limits callLimits,
            OperationExecutor.Limits appliedLimits) {}

    /**
     * The configuration of controllers.
     *
     * @param onNode the node on whose machine they run, {@code ""} for none
     * @param features in addition to binding, by name
     * @param attachLimits most volumes on a node, by plugin
     * @param kubernetesNames whether they name VolumeAttachments as Kubernetes does
     * @param visits permits single decisions, if controllers decide only at visits
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
     * The storage, and the access of processes to it.
     *
     * @param made creates the plugins of an incarnation of a process
     * @param host wraps the plugins' view of their process
     * @param drivers the driver that answers for a plugin
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

    /** The settings of a run, see {@link SimulationBuilder}. */
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
