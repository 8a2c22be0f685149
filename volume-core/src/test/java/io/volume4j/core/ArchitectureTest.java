package io.volume4j.core;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.volume4j.core.assembly.ControllerFeature;
import io.volume4j.core.control.host.Feature;
import io.volume4j.core.objects.ObjectCache;
import io.volume4j.spi.model.Kind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Who may depend on whom, and what no code of the core may do. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArchitectureTest {
    private static final String CORE = "io.volume4j.core";

    /** Rooms of the control plane that are no features. */
    private static final List<String> NO_FEATURES = List.of("attach", "host", "schedule");

    private JavaClasses core = new ClassFileImporter().importClasses(ArchitectureTest.class);

    @BeforeAll
    void read() {
        core = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(CORE);
    }

    @Test
    void theEngineKnowsOfNoReconciler() {
        noClasses()
                .that()
                .resideInAPackage(CORE + ".engine..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(CORE + "..")
                        .and(not(resideInAnyPackage(CORE + ".engine..", CORE + ".explain..", CORE + ".tables.."))))
                .check(core);
    }

    @Test
    void tablesDependOnNoOtherPackage() {
        noClasses()
                .that()
                .resideInAPackage(CORE + ".tables..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.volume4j..").and(not(resideInAnyPackage(CORE + ".tables.."))))
                .check(core);
    }

    @Test
    void theJournalKnowsNothingOfVolumes() {
        noClasses()
                .that()
                .resideInAPackage(CORE + ".journal..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(CORE + "..").and(not(resideInAnyPackage(CORE + ".journal.."))))
                .check(core);
    }

    @Test
    void ownershipSubPathsAndReportsKnowTheSpiAlone() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE + ".ownership..", CORE + ".subpath..", CORE + ".report..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(CORE + "..")
                        .and(not(resideInAnyPackage(CORE + ".ownership..", CORE + ".subpath..", CORE + ".report.."))))
                .check(core);
    }

    @Test
    void onlyTheFrontDoorDependsOnTheNode() {
        classes()
                .that()
                .resideInAPackage(CORE + ".node..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage(CORE, CORE + ".node..", CORE + ".assembly..")
                .check(core);
    }

    @Test
    void nodeAndControlPlaneMeetOnlyInTheCluster() {
        noClasses()
                .that()
                .resideInAPackage(CORE + ".control..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".node..")
                .check(core);
        noClasses()
                .that()
                .resideInAPackage(CORE + ".node..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".control..")
                .check(core);
    }

    @Test
    void theHostOfTheControlPlaneKnowsNoFeature() {
        noClasses()
                .that()
                .resideInAPackage(CORE + ".control.host..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(CORE + ".control..", CORE + ".assembly..")
                        .and(not(resideInAnyPackage(CORE + ".control.host.."))))
                .check(core);
    }

    @Test
    void featuresOfTheControlPlaneKnowTheHostAndNoOtherFeature() {
        for (String feature : features()) {
            noClasses()
                    .that()
                    .resideInAPackage(feature + "..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(CORE + ".control..", CORE + ".assembly..")
                            .and(not(resideInAnyPackage(feature + "..", CORE + ".control.host.."))))
                    .check(core);
        }
    }

    /** Each is for one attachment or one deleted volume, of which there may be a million. */
    @Test
    void aVisitOfAnAttachmentDoesNotGoThroughAllObjects() {
        for (String visiting : List.of("DirectRecords", "AttachViews", "VolumeState")) {
            noClasses()
                    .that()
                    .haveFullyQualifiedName(CORE + ".control.attach." + visiting)
                    .should()
                    .callMethod(ObjectCache.class, "all", Kind.class)
                    .orShould()
                    .callMethod(ObjectCache.class, "forEach", Kind.class, BiConsumer.class)
                    .check(core);
        }
    }

    @Test
    void eachRoomOfTheControlPlaneIsAFeatureOrOneOfThreeThatAreNone() {
        int depth = (CORE + ".control.").length();
        Set<String> rooms = core.stream()
                .map(JavaClass::getPackageName)
                .filter(name -> name.startsWith(CORE + ".control."))
                .map(name -> name.substring(depth).split("\\.", -1)[0])
                .filter(room -> !NO_FEATURES.contains(room))
                .map(room -> CORE + ".control." + room)
                .collect(Collectors.toSet());
        assertThat(features()).hasSizeGreaterThan(5).isEqualTo(rooms);
    }

    @Test
    void theListOfFeaturesHasThemAll() {
        Set<String> listed = core.get(ControllerFeature.class).getDirectDependenciesFromSelf().stream()
                .map(dependency -> dependency.getTargetClass())
                .filter(target -> target.isAssignableTo(Feature.class) && !target.isInterface())
                .map(JavaClass::getPackageName)
                .collect(Collectors.toSet());
        assertThat(listed).isEqualTo(features());
    }

    /** The packages that have a feature. */
    private Set<String> features() {
        return core.stream()
                .filter(type -> type.isAssignableTo(Feature.class) && !type.isInterface())
                .map(JavaClass::getPackageName)
                .collect(Collectors.toSet());
    }

    @Test
    void onlyTheFrontDoorsOfControllersDependOnTheAssembly() {
        classes()
                .that()
                .resideInAPackage(CORE + ".assembly..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAnyPackage(CORE + ".control", CORE + ".assembly..")
                .check(core);
    }

    @Test
    void bindingDecidesOnValues() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE + ".control.binding.plan", CORE + ".control.binding.match")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(CORE + ".control.binding", CORE + ".objects..", CORE + ".plugins.."))
                .check(core);
    }

    @Test
    void attachingDecidesOnValuesAndItsCallsDoNotKnowTheWorlds() {
        noClasses()
                .that()
                .resideInAPackage(CORE + ".control.attach.plan")
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        CORE + ".control.attach",
                        CORE + ".control.attach.call",
                        CORE + ".control.host..",
                        CORE + ".objects..",
                        CORE + ".plugins.."))
                .check(core);
        noClasses()
                .that()
                .resideInAPackage(CORE + ".control.attach.call")
                .should()
                .dependOnClassesThat(resideInAnyPackage(CORE + ".control.attach", CORE + ".objects.."))
                .check(core);
    }

    @Test
    void plannersNeitherLogNorReadNorWait() {
        noClasses()
                .that()
                .haveSimpleNameEndingWith("Planner")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.slf4j..", "java.io..", "java.nio.file..", "java.util.concurrent..")
                .check(core);
    }

    @Test
    void librariesStayInTheirRooms() {
        noClasses()
                .that()
                .resideOutsideOfPackages(CORE + ".codec..", CORE + ".control.binding..", CORE + ".control.snapshot..")
                // The protocol of flexvolume drivers is JSON on their command line and standard output.
                .and()
                .haveNameNotMatching(".*\\.plugins\\.(flex\\.Flex|common\\.JsonFields)[A-Za-z]*")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson..", "org.yaml..")
                .check(core);
        noClasses()
                .that()
                .resideOutsideOfPackage(CORE + ".linux..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.jna..")
                .check(core);
    }

    @Test
    void theRoomsOfTheLinuxBackendDependDownwardsOnly() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("backend")
                .definedBy(CORE + ".linux")
                .layer("device")
                .definedBy(CORE + ".linux.device..")
                .layer("mount")
                .definedBy(CORE + ".linux.mount..")
                .layer("path")
                .definedBy(CORE + ".linux.path..")
                .layer("tool")
                .definedBy(CORE + ".linux.tool..")
                .layer("sys")
                .definedBy(CORE + ".linux.sys..")
                .whereLayer("backend")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("device")
                .mayOnlyBeAccessedByLayers("backend")
                .whereLayer("mount")
                .mayOnlyBeAccessedByLayers("backend", "device")
                .whereLayer("path")
                .mayOnlyBeAccessedByLayers("backend", "device", "mount")
                .whereLayer("tool")
                .mayOnlyBeAccessedByLayers("backend", "device")
                .check(core);
        classes()
                .that()
                .resideInAPackage(CORE + ".linux.*..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAPackage(CORE + ".linux..")
                .check(core);
    }

    @Test
    void theRoomsOfTheNodeDependDownwardsOnly() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("agent")
                .definedBy(CORE + ".node.agent..")
                .layer("report")
                .definedBy(CORE + ".node.report..")
                .layer("recover")
                .definedBy(CORE + ".node.recover..")
                .layer("call")
                .definedBy(CORE + ".node.call..")
                .layer("view")
                .definedBy(CORE + ".node.view..")
                .layer("attach")
                .definedBy(CORE + ".node.attach..")
                .layer("actual")
                .definedBy(CORE + ".node.actual..")
                .layer("desired")
                .definedBy(CORE + ".node.desired..")
                .layer("state")
                .definedBy(CORE + ".node.state..")
                .layer("policy")
                .definedBy(CORE + ".node")
                .whereLayer("agent")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("report")
                .mayOnlyBeAccessedByLayers("agent")
                .whereLayer("recover")
                .mayOnlyBeAccessedByLayers("agent")
                .whereLayer("call")
                .mayOnlyBeAccessedByLayers("agent")
                .whereLayer("view")
                .mayOnlyBeAccessedByLayers("agent", "report")
                .whereLayer("attach")
                .mayOnlyBeAccessedByLayers("agent", "view")
                .whereLayer("actual")
                .mayOnlyBeAccessedByLayers("agent", "report", "view", "attach")
                .whereLayer("desired")
                .mayOnlyBeAccessedByLayers("agent", "report", "call", "view", "attach", "actual")
                .whereLayer("policy")
                .mayNotAccessAnyLayer()
                .check(core);
    }

    @Test
    void thePartsOfAPluginKnowNoOtherPlugin() {
        slices().matching(CORE + ".plugins.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), resideInAPackage(CORE + ".plugins.common.."))
                .check(core);
        noClasses()
                .that()
                .resideInAPackage(CORE + ".plugins.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CORE + ".plugins")
                .check(core);
        classes()
                .that()
                .resideInAPackage(CORE + ".plugins.*..")
                .should()
                .onlyHaveDependentClassesThat()
                .resideInAPackage(CORE + ".plugins..")
                .check(core);
    }

    @Test
    void noPackageHasMoreThanFortyFiles() {
        Map<String, Long> files = core.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(files)
                .isNotEmpty()
                .allSatisfy((name, count) -> assertThat(count).isLessThanOrEqualTo(40));
    }

    @Test
    void noClassSleepsOrReadsTheClockByItself() {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .orShould()
                .callMethod(java.time.Instant.class, "now")
                .check(core);
    }

    @Test
    void noPublishedModuleSleeps() {
        List<Path> files = Sources.modules().stream()
                .flatMap(module -> Sources.javaFiles(module.resolve("src/main/java"), Integer.MAX_VALUE).stream())
                .toList();
        assertThat(files)
                .isNotEmpty()
                .allSatisfy(file -> assertThat(Sources.read(file)).doesNotContain("Thread.sleep("));
    }
}
