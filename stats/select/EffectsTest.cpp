// Every procedure that decides a hypothesis gives an effect size, and each effect size an interval.
#include "stats/select/test/StudyCase.h"

#include <cmath>
#include <set>

namespace imbrex::stats {
namespace {

double noise(int i) { return std::sin(12.9898 * i + 4.1) * 1.7; }

std::string observations() {
  std::string csv = "id,g,k,h,low,pass,y,x,z\n";
  const char *k[] = {"a", "b", "c"}, *low[] = {"no", "some", "much"};
  for (int i = 0; i < 60; ++i) {
    double x = noise(3 * i + 1), y = 20 + (i % 2) + 0.6 * (i % 3) + 0.3 * x + noise(i);
    csv += std::to_string(i) + "," + (i % 2 ? "B" : "A") + "," + k[i % 3] + "," +
           ((i / 6) % 2 ? "p" : "q") + "," + low[(i / 2 + i % 2) % 3] + "," +
           (noise(7 * i) + 0.4 * x > 0 ? "yes" : "no") + "," + std::to_string(y) + "," +
           std::to_string(x) + "," + std::to_string(noise(5 * i + 2)) + "\n";
  }
  return csv;
}

std::string between(const std::string &explanatory, const std::string &explained,
                    const std::string &hypothesis) {
  return "data f.csv\n  key: id\nvariables\n  g: nominal [A, B]\n  k: nominal [a, b, c]\n  h: "
         "nominal [p, q]\n  low: ordinal [no < some < much]\n  pass: nominal [no, yes]\n  y: "
         "ratio\n  x: interval\n  z: interval\ndesign observational\n  contributor: " +
         explanatory + "\n  outcome: " + explained + "\nhypothesis " + hypothesis + "\n";
}

std::string conditions() {
  std::string csv = "id,team,c,d,f,pass\n";
  const char *c[] = {"u", "v", "w"}, *d[] = {"m", "n"};
  for (int i = 0; i < 14; ++i)
    for (int j = 0; j < 3; ++j)
      for (int m = 0; m < 2; ++m)
        csv += "s" + std::to_string(i) + "," + (i % 2 ? "red" : "blue") + "," + c[j] + "," + d[m] +
               "," + std::to_string(10 + i % 4 + j + m + noise(i * 6 + j * 2 + m)) + "," +
               (noise(i * 11 + 5 * j) + 0.5 * j > 0.3 ? "yes" : "no") + "\n";
  return csv;
}

std::string within(const std::string &c, const std::string &explanatory,
                   const std::string &explained, const std::string &list) {
  return "data f.csv\n  key: id\nvariables\n  team: nominal [blue, red]\n  c: nominal " + c +
         "\n  d: nominal " +
         (list.find('d') == std::string::npos ? "[m] others missing" : "[m, n]") +
         "\n  f: ratio\n  pass: nominal [no, yes]\ndesign experiment\n  independent: " +
         explanatory + "\n  dependent: " + explained + "\n  within: " + list + "\nhypothesis " +
         explained + " by " + explanatory + "\n";
}

/// The rows of one side only, so that each participant has one value a condition.
std::string oneSide() {
  std::string csv, all = conditions();
  for (size_t begin = 0; begin < all.size();) {
    size_t end = all.find('\n', begin) + 1;
    std::string line = all.substr(begin, end - begin);
    if (line.find(",n,") == std::string::npos)
      csv += line;
    begin = end;
  }
  return csv;
}

class Effects {
public:
  void expect(const std::string &study, const std::string &csv,
              const std::vector<std::string> &computations) {
    StudyCase c(study, csv);
    for (const std::string &id : computations) {
      Computed computed = c.compute(id);
      const TestResult &r = computed.result;
      ASSERT_TRUE(r.defined()) << id << ": " << r.reason;
      EXPECT_FALSE(r.effects.empty()) << id;
      for (const EffectSize &e : r.effects) {
        ASSERT_TRUE(e.interval) << id << ": " << e.name;
        EXPECT_LE(e.interval->low, e.interval->high) << id << ": " << e.name;
        EXPECT_FALSE(e.interval->method.empty()) << id << ": " << e.name;
      }
      for (const ResultTable &table : r.tables)
        for (const ResultRow &row : table.rows)
          for (const EffectSize &e : row.effects)
            EXPECT_TRUE(e.interval) << id << ", " << row.name << ": " << e.name;
      seen.insert(id);
    }
  }
  std::set<std::string> seen;
};

TEST(Effects, EveryOneHasAnInterval) {
  Effects effects;
  std::string rows = observations();
  effects.expect(between("g", "y", "y by g"), rows,
                 {"students_t", "welchs_t", "mannwhitney_u", "brunner_munzel", "permutation_test",
                  "pointbiserial_corr"});
  effects.expect(
      between("k", "y", "y by k"), rows,
      {"f_test", "welch_anova", "kruskall_wallis", "brunner_dette_munk", "permutation_f"});
  effects.expect(between("k, h", "y", "y by k, h"), rows, {"factorial_anova"});
  effects.expect(between("k", "y", "y by k given x"), rows, {"ancova"});
  effects.expect(between("x", "y", "y ~ x"), rows,
                 {"pearson_corr", "spearman_corr", "kendalltau_corr", "linear_regression"});
  effects.expect(between("x", "y", "y ~ x given z"), rows, {"partial_corr"});
  effects.expect(between("x", "pass", "pass ~ x"), rows, {"logistic_regression"});
  effects.expect(between("g", "pass", "pass by g"), rows, {"chi_square", "fishers_exact"});
  effects.expect(between("k", "low", "low, k"), rows, {"chi_square", "fishers_exact"});
  effects.expect(between("g", "y", "y > 20"), rows,
                 {"one_sample_t", "one_sample_wilcoxon", "one_sample_sign"});
  std::string one = oneSide();
  effects.expect(within("[u, v] others missing", "c", "f", "c"), one,
                 {"paired_students_t", "wilcoxon_signed_rank", "sign_test", "permutation_paired"});
  effects.expect(within("[u, v, w]", "c", "f", "c"), one,
                 {"rm_one_way_anova", "rm_one_way_anova_corrected", "friedman"});
  effects.expect(within("[u, v, w]", "c", "pass", "c"), one, {"cochran_q"});
  effects.expect(within("[u, v] others missing", "c", "pass", "c"), one, {"mcnemar"});
  effects.expect(within("[u, v, w]", "c, d", "f", "c, d"), conditions(), {"rm_factorial_anova"});
  effects.expect(within("[u, v, w]", "team, c", "f", "c"), one, {"mixed_anova"});
  for (const Procedure &p : standardKnowledge().procedures)
    if (!p.fallback)
      EXPECT_TRUE(effects.seen.contains(p.computes)) << p.computes;
}

} // namespace
} // namespace imbrex::stats
