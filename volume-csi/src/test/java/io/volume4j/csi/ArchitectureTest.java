package io.volume4j.csi;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom, as the package descriptions promise it. */
@AnalyzeClasses(
        packages = "io.volume4j.csi",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.WrittenByHand.class})
class ArchitectureTest {
    private static final String PROTO = "io.volume4j.csi.internal.proto..";

    /** The generated classes follow rules of their own, and there are five hundred of them. */
    static final class WrittenByHand implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("/internal/proto/");
        }
    }

    @ArchTest
    static final ArchRule onlyWhatOpensSocketsKnowsNetty = noClasses()
            .that()
            .doNotHaveSimpleName("UnixSocketChannels")
            .and()
            .doNotHaveSimpleName("IoThreads")
            .and()
            .doNotHaveSimpleName("PeerCheck")
            .and()
            .doNotHaveSimpleName("MetadataListener")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "io.grpc.netty..");

    @ArchTest
    static final ArchRule theTransportDoesNotKnowWhatTheCallsMean = noClasses()
            .that()
            .resideInAPackage("..internal.transport..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(PROTO, "..internal.rpc..", "..internal.rules..", "..internal.client..");

    @ArchTest
    static final ArchRule rulesAreFreeOfEffects = noClasses()
            .that()
            .resideInAnyPackage("..internal.rules..", "..internal.rpc..", "..internal.redact..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.grpc.stub..", "..internal.client..", "java.io..", "java.nio.file..", "org.slf4j..");

    @ArchTest
    static final ArchRule noPackagesGoRoundInCircles =
            slices().matching("io.volume4j.csi.internal.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule handWrittenCodeTakesNoTimeOfItsOwn = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class);

    @ArchTest
    static final ArchRule onlyTheApiIsPublicOutsideInternal = classes()
            .that()
            .resideInAPackage("io.volume4j.csi")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "io.volume4j..", "org.jspecify..", "org.slf4j..", "io.grpc");
}
